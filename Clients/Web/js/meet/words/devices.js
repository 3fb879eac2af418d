/** The page's texts about microphones, speakers and cameras, in English. */

/** @typedef {"microphone" | "camera" | "microphone and camera"} Thing the requested device */

/** The cause and the next step of each refusal. */
export const refusals = Object.freeze({
  waiting: (/** @type {Thing} */ thing) => `Your browser asks whether this page may use your ${thing}. Answer it there.`,
  blocked: (/** @type {Thing} */ thing) =>
    `This page may not use your ${thing}. Allow it in your browser's settings for this page, beside the address. Then try again.`,
  busy: (/** @type {Thing} */ thing) =>
    `The ${thing} does not open. Another program may be using it. Close that program, and try again.`,
  missing: (/** @type {Thing} */ thing) => `No ${thing} was found. Plug one in, and look again.`,
  insecure: (/** @type {Thing} */ thing) =>
    `Browsers open a ${thing} only for pages with https:// in their address. Ask whoever runs this server for such an address.`,
  framed: (/** @type {Thing} */ thing) =>
    `The page around this one does not let it use your ${thing}. Open the meeting in a tab of its own.`,
});

export const words = Object.freeze({
  useBoth: "Use microphone and camera",
  useMicrophone: "Use microphone",
  useCamera: "Use camera",
  tryAgain: "Try again",
  lookAgain: "Look again",
  useAnother: "Use another",
  close: "Close",
  ownTab: "Open in a tab",
  testSound: "Test sound",
  noSpeaker: "This speaker cannot be used.",
  noMicrophone: "No microphone",
  noCamera: "No camera",
  systemSpeaker: "The system's speaker",
  playback: "Your browser waits for your permission to play sound.",
  playSound: "Play sound",
  lostMicrophone: "Your microphone was unplugged, and nobody hears you.",
  lostCamera: "Your camera was unplugged, and nobody sees you.",
});
