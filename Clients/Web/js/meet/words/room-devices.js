/** The room's texts about connected and lost devices, in English. */
import { isolated } from "../names.js";

export const words = Object.freeze({
  fellBack: (/** @type {string} */ lost, /** @type {string} */ now) =>
    `${isolated(lost)} was unplugged. You speak through ${isolated(now)} now.`,
  cameraFellBack: (/** @type {string} */ lost, /** @type {string} */ now) =>
    `${isolated(lost)} was unplugged. ${isolated(now)} shows you now.`,
  speakerFellBack: "Your speaker was unplugged. You hear through the system's speaker now.",
  isNew: (/** @type {string} */ label) => `${isolated(label)} was plugged in.`,
  useNew: "Use it",
  mutedSpeech: "You are speaking, but you are muted.",
  microphone: "The microphone",
  camera: "The camera",
});
