/** The page's texts about microphones, speakers and cameras. */
import { say } from "../../elements.js";

/** @typedef {"microphone" | "camera" | "microphone and camera"} Thing the requested device */

/**
 * For each refusal, the cause and what the user can do about it. The texts are whole sentences for
 * each requested device, because most languages cannot build these sentences from parts.
 * @type {Readonly<Record<import("../refusals.js").Refusal, Readonly<Record<Thing, string>>>>}
 */
const causes = Object.freeze({
  waiting: {
    microphone: say("Your browser asks whether this page may use your microphone. Answer it there."),
    camera: say("Your browser asks whether this page may use your camera. Answer it there."),
    "microphone and camera":
      say("Your browser asks whether this page may use your microphone and camera. Answer it there."),
  },
  blocked: {
    microphone:
      say("This page may not use your microphone. Allow it in your browser's settings for this page, beside the address. Then try again."),
    camera:
      say("This page may not use your camera. Allow it in your browser's settings for this page, beside the address. Then try again."),
    "microphone and camera":
      say("This page may not use your microphone and camera. Allow it in your browser's settings for this page, beside the address. Then try again."),
  },
  busy: {
    microphone:
      say("The microphone does not open. Another program may be using it. Close that program, and try again."),
    camera: say("The camera does not open. Another program may be using it. Close that program, and try again."),
    "microphone and camera":
      say("The microphone and the camera do not open. Another program may be using them. Close that program, and try again."),
  },
  missing: {
    microphone: say("No microphone was found. Plug one in, and look again."),
    camera: say("No camera was found. Plug one in, and look again."),
    "microphone and camera": say("No microphone and no camera were found. Plug them in, and look again."),
  },
  insecure: {
    microphone:
      say("Browsers open a microphone only for pages with https:// in their address. Ask whoever runs this server for such an address."),
    camera:
      say("Browsers open a camera only for pages with https:// in their address. Ask whoever runs this server for such an address."),
    "microphone and camera":
      say("Browsers open a microphone and camera only for pages with https:// in their address. Ask whoever runs this server for such an address."),
  },
  framed: {
    microphone:
      say("The page around this one does not let it use your microphone. Open the meeting in a tab of its own."),
    camera: say("The page around this one does not let it use your camera. Open the meeting in a tab of its own."),
    "microphone and camera":
      say("The page around this one does not let it use your microphone and camera. Open the meeting in a tab of its own."),
  },
});

/**
 * Returns the cause of a refusal, and what the user can do about it.
 * @param {import("../refusals.js").Refusal} refusal
 * @param {Thing} thing
 */
export const refusalText = (refusal, thing) => causes[refusal][thing];

export const words = Object.freeze({
  useBoth: say("Use microphone and camera"),
  useMicrophone: say("Use microphone"),
  useCamera: say("Use camera"),
  tryAgain: say("Try again"),
  lookAgain: say("Look again"),
  useAnother: say("Use another"),
  close: say("Close"),
  ownTab: say("Open in a tab"),
  testSound: say("Test sound"),
  noSpeaker: say("This speaker cannot be used. Select another one."),
  noMicrophone: say("No microphone"),
  noCamera: say("No camera"),
  systemSpeaker: say("The system's speaker"),
  playback: say("Your browser waits for your permission to play sound."),
  playSound: say("Play sound"),
  lostMicrophone: say("Your microphone was unplugged, and nobody hears you."),
  lostCamera: say("Your camera was unplugged, and nobody sees you."),
});
