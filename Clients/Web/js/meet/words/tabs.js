/** The texts for a user who has a second tab in the same meeting. */
import { say } from "../../elements.js";

export const words = Object.freeze({
  title: say("Another tab is in this meeting."),
  text: say("With sound in both tabs, people hear an echo."),
  move: say("Move here"),
  silent: say("Join without sound"),
  cancel: say("Do not join"),
  isSilent: say("This tab plays no sound."),
  hear: say("Play sound"),
});
