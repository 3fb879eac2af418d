/** The room's texts, in English. */
export const words = Object.freeze({
  layouts: Object.freeze({ grid: "Layout: everybody", speaker: "Layout: speaker", content: "Layout: shared screen" }),
  mutedByOther: "You were muted. To unmute, press the microphone button. Only the operator can lift an operator's mute.",
  noFullScreen: "This browser does not show the page in full screen.",
  pin: (/** @type {string} */ name) => `Show ${name} large`,
});
