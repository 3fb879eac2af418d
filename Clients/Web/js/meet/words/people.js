/** The texts of the people panel. */
import { say } from "../../elements.js";

export const words = Object.freeze({
  count: (/** @type {number} */ count) => say("{count, plural, one {# person} other {# people}}", { count }),
  you: say("(you)"),
  hand: (/** @type {number} */ place) => say("Hand raised, number {place}", { place }),
  shares: say("Shares a screen"),
  hasCamera: say("Camera on"),
  muted: say("Muted"),
  speaks: say("Speaking"),
});
