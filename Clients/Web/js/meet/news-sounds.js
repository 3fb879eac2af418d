import { note } from "./test-sound.js";

/** The two notes of each sound, in hertz. */
const NOTES = Object.freeze({ joined: [523, 784], left: [784, 523], hand: [659, 659], chat: [880, 988], knock: [988, 740] });

const NOTE_SECONDS = 0.12;

/** The shortest time between two sounds, in milliseconds. */
const PAUSE_MS = 1_000;

/** Plays short sounds for news of other attendees, on the chosen speaker. */
export class NewsSounds {
  /** @type {AudioContext | null} */
  #context = null;
  #nextAt = -Infinity;

  /**
   * Plays a sound. If another sound began less than a second ago, plays nothing.
   * @param {keyof typeof NOTES} sound
   * @param {string} speaker the id of the speaker, empty for the system's speaker
   */
  async play(sound, speaker) {
    if (performance.now() < this.#nextAt) return;
    this.#nextAt = performance.now() + PAUSE_MS;
    const context = (this.#context ??= new AudioContext());
    // If the user has disconnected the chosen speaker, the context keeps the speaker that it used
    // last.
    await choosing(context).setSinkId?.(speaker).catch(() => undefined);
    if (this.#context !== context) return;
    NOTES[sound].forEach((hertz, at) => {
      void note(context, context.destination, hertz, context.currentTime + at * NOTE_SECONDS, NOTE_SECONDS);
    });
  }

  /** Releases the speaker. */
  close() {
    void this.#context?.close();
    this.#context = null;
  }
}

/**
 * Not every browser lets a context choose its speaker.
 * @param {AudioContext} context
 */
const choosing = (context) => /** @type {AudioContext & { setSinkId?: (id: string) => Promise<void> }} */ (context);
