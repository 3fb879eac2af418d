/** The help's texts about keys, in English. */

/** @type {readonly { keys: readonly string[], does: string }[]} */
export const keyHelp = Object.freeze([
  { keys: ["M", "Ctrl+D"], does: "Mute or unmute" },
  { keys: ["T"], does: "Hold to talk" },
  { keys: ["V", "Ctrl+E"], does: "Camera on or off" },
  { keys: ["H"], does: "Raise or lower your hand" },
  { keys: ["C"], does: "Open or close the chat" },
  { keys: ["P"], does: "Open or close the list of people" },
  { keys: ["L"], does: "Next layout" },
  { keys: ["F"], does: "Full screen" },
  { keys: ["?"], does: "This help" },
]);
