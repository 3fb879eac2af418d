/** The texts of reactions. */
import { say } from "../../elements.js";

export const words = Object.freeze({
  choose: say("Reactions"),
  you: say("You"),
  /** @type {Readonly<Record<string, string>>} */
  names: Object.freeze({
    "👍": say("Thumbs up"),
    "👏": say("Applause"),
    "❤️": say("Heart"),
    "😂": say("Laughter"),
    "😮": say("Surprise"),
    "🎉": say("Celebration"),
  }),
});
