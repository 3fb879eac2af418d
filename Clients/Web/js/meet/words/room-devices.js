/** The room's texts about connected and lost devices. */
import { say } from "../../elements.js";
import { isolated } from "../names.js";

export const words = Object.freeze({
  fellBack: (/** @type {string} */ lost, /** @type {string} */ now) =>
    say("{lost} was unplugged. You speak through {now} now.", { lost: isolated(lost), now: isolated(now) }),
  cameraFellBack: (/** @type {string} */ lost, /** @type {string} */ now) =>
    say("{lost} was unplugged. {now} shows you now.", { lost: isolated(lost), now: isolated(now) }),
  speakerFellBack: say("Your speaker was unplugged. You hear through the system's speaker now."),
  isNew: (/** @type {string} */ label) => say("{device} was plugged in.", { device: isolated(label) }),
  useNew: say("Use it"),
  mutedSpeech: say("You are speaking, but you are muted."),
  microphone: say("The microphone"),
  camera: say("The camera"),
});
