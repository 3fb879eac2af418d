/** What the page says of sound that does not work: one sentence and one button for each. */

/**
 * @typedef {"audioPermissionError" | "noAudioDevices" | "setPreferredAudioInputFailed" | "overrideOutputAudioPortFailed" | "ended" | "playback"} SoundProblem
 * @typedef {{ sentence: string, button: string }} SoundAdvice
 */

/** @type {Readonly<Record<SoundProblem, SoundAdvice>>} */
export const soundAdvice = Object.freeze({
  audioPermissionError: {
    sentence: "This page may not use your microphone. Allow it in your browser's settings for this page.",
    button: "Try again",
  },
  noAudioDevices: { sentence: "No microphone was found. Plug one in.", button: "Look again" },
  setPreferredAudioInputFailed: {
    sentence: "The microphone does not open. Another program may be using it.",
    button: "Try again",
  },
  overrideOutputAudioPortFailed: { sentence: "This speaker cannot be used.", button: "Close" },
  ended: { sentence: "Your microphone was unplugged, and nobody hears you.", button: "Use another" },
  playback: { sentence: "Your browser waits for your permission to play sound.", button: "Play sound" },
});

/**
 * How loud samples are, on a scale that moves with speech: 0 at -60 dBFS or less, 1 at full scale.
 * @param {Float32Array} samples from -1 to 1
 */
export function levelOf(samples) {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length);
  const decibels = 10 * Math.log10(power || 1e-12);
  return Math.min(1, Math.max(0, 1 + decibels / 60));
}
