/** Notices that somebody speaks while muted: a decision without a page. */

/** A level of speech (meter.js): -36 dBFS. */
const SPEECH = 0.4;

/** How many of the last levels make speech: half of a second. */
const NEEDED = 5;
const WINDOW = 10;

/** The least time between two hints. */
const PAUSE_MS = 60_000;

export class MutedSpeech {
  /** @type {boolean[]} */
  #loud = [];
  #nextAt = -Infinity;

  /**
   * Takes a level, ten times a second.
   * @param {number} level from 0 to 1
   * @param {boolean} isMuted
   * @param {number} now in milliseconds
   * @returns {boolean} whether a hint is due
   */
  hear(level, isMuted, now) {
    if (!isMuted) this.#loud = [];
    else this.#loud = [...this.#loud, level >= SPEECH].slice(-WINDOW);
    if (now < this.#nextAt || this.#loud.filter(Boolean).length < NEEDED) return false;
    this.#nextAt = now + PAUSE_MS;
    this.#loud = [];
    return true;
  }
}
