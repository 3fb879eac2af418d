/** The texts about requests that hosts send to the user. */
import { say } from "../../elements.js";

export const words = Object.freeze({
  asksToUnmute: say("A host asks you to unmute."),
  unmute: say("Unmute"),
  stayMuted: say("Stay muted"),
  isHost: say("You are now a host of this meeting. The button Host opens your controls."),
});
