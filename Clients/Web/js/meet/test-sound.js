/** The test sound of a speaker: two notes, played through a media element like the mix. */

const NOTES = [659.26, 880];
const NOTE_SECONDS = 0.4;
const LOUDNESS = 0.3;

/**
 * Plays the test sound.
 * @param {string} speaker the id of the speaker, empty for the system's
 * @returns {Promise<void>} resolves when the sound has ended
 */
export async function playTestSound(speaker) {
  const context = new AudioContext();
  const output = context.createMediaStreamDestination();
  const player = /** @type {HTMLAudioElement & { setSinkId?: (id: string) => Promise<void> }} */ (new Audio());
  try {
    if (speaker) await player.setSinkId?.(speaker);
    player.srcObject = output.stream;
    await player.play();
    await Promise.all(NOTES.map((hertz, at) => note(context, output, hertz, context.currentTime + at * NOTE_SECONDS)));
  } finally {
    player.srcObject = null;
    await context.close();
  }
}

/**
 * Plays one note. The note fades in and out, because a sudden start or end would click.
 * @param {AudioContext} context
 * @param {AudioNode} output
 * @param {number} hertz
 * @param {number} from
 * @returns {Promise<void>} resolves when the note has ended
 */
export function note(context, output, hertz, from, seconds = NOTE_SECONDS) {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, from);
  gain.gain.linearRampToValueAtTime(LOUDNESS, from + 0.01);
  gain.gain.linearRampToValueAtTime(0, from + seconds);
  const tone = new OscillatorNode(context, { frequency: hertz });
  tone.connect(gain).connect(output);
  tone.start(from);
  tone.stop(from + seconds);
  return new Promise((resolve) => tone.addEventListener("ended", () => resolve(), { once: true }));
}
