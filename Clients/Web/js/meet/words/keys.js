/** The texts of the help about keyboard shortcuts. */
import { say } from "../../elements.js";

/** @type {readonly { keys: readonly string[], does: string }[]} */
export const keyHelp = Object.freeze([
  { keys: ["M", "Ctrl+D"], does: say("Mute or unmute") },
  { keys: ["T"], does: say("Hold to talk") },
  { keys: ["V", "Ctrl+E"], does: say("Camera on or off") },
  { keys: ["H"], does: say("Raise or lower your hand") },
  { keys: ["C"], does: say("Open or close the chat") },
  { keys: ["P"], does: say("Open or close the list of people") },
  { keys: ["L"], does: say("Next layout") },
  { keys: ["F"], does: say("Full screen") },
  { keys: ["?"], does: say("This help") },
]);
