/** Detects that the user speaks while muted. This module does not access the page. */

/** The lowest level that this class regards as speech: -36 dBFS on the scale of meter.js. */
const SPEECH = 0.4;

/**
 * The smallest number of loud levels among the last `WINDOW` levels (1 s) that the module treats as
 * speech. The number corresponds to half a second.
 */
const NEEDED = 5;
const WINDOW = 10;

/** The shortest time between two hints, in milliseconds. */
const PAUSE_MS = 60_000;

export class MutedSpeech {
  /** @type {boolean[]} */
  #loud = [];
  #nextAt = -Infinity;

  /**
   * Processes a level. Call this method ten times a second.
   * @param {number} level the level of the sound, from 0 to 1
   * @param {boolean} isMuted
   * @param {number} now the current time, in milliseconds
   * @returns {boolean} whether the page must show a hint
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
