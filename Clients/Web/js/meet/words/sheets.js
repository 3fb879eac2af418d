/** The texts of the sheets of small windows. */
import { say } from "../../elements.js";

export const words = Object.freeze({ more: say("More"), close: say("Close") });
