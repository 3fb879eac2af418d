/**
 * Reactions: data messages on a topic of their own. The meeting does not keep these messages. This
 * module does not access the page.
 */

export const REACTION_TOPIC = "reaction";

/** @type {readonly string[]} */
export const reactions = Object.freeze(["👍", "👏", "❤️", "😂", "😮", "🎉"]);

/** The shortest time between two reactions of one person, in milliseconds. */
export const REACTION_PAUSE_MS = 2_000;

/** How long the page shows a reaction, in milliseconds. */
export const REACTION_SHOWN_MS = 4_000;

/** The largest number of reactions that the page shows at the same time. */
const MOST = 20;

/**
 * @typedef {object} Reaction
 * @property {string} sender the attendee's id
 * @property {unknown} text
 */

export class Reactions {
  /** @type {Map<string, number>} */
  #nextAt = new Map();
  /** @type {number[]} */
  #ends = [];

  /**
   * Processes a reaction.
   * @param {Reaction} reaction
   * @param {number} now the current time, in milliseconds
   * @returns {boolean} whether the page shows the reaction for `REACTION_SHOWN_MS`
   */
  take({ sender, text }, now) {
    this.#expire(now);
    if (!reactions.includes(/** @type {string} */ (text)) || this.#nextAt.has(sender)) return false;
    if (this.#ends.length >= MOST) return false;
    this.#nextAt.set(sender, now + REACTION_PAUSE_MS);
    this.#ends.push(now + REACTION_SHOWN_MS);
    return true;
  }

  /** @param {number} now */
  #expire(now) {
    for (const [sender, at] of this.#nextAt) if (at <= now) this.#nextAt.delete(sender);
    this.#ends = this.#ends.filter((end) => end > now);
  }
}
