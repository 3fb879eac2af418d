/**
 * Captions as they are revised: a value, which knows for each result the last that was told.
 *
 * @typedef {object} Caption
 * @property {string} resultId
 * @property {string} speaker
 * @property {string} text
 * @property {boolean} isPartial
 */

/** How many are shown. */
const MOST = 60;

export class CaptionLog {
  /** @type {Map<string, Caption>} */
  #captions = new Map();

  /** The captions, in the order in which they began. */
  get captions() {
    return [...this.#captions.values()];
  }

  /**
   * Takes a result: it takes the place of an earlier one with its id.
   * @param {import("../carillon/meeting/transcript.js").TranscriptResult} result
   * @returns {Caption | null} `null` where nothing changes
   */
  take(result) {
    const known = this.#captions.get(result.resultId);
    if (known && !known.isPartial) return null;
    const [best] = result.alternatives;
    if (!best) return null;
    const caption = {
      resultId: result.resultId,
      speaker: best.items.find(({ attendee }) => attendee.displayName)?.attendee.displayName ?? "",
      text: best.transcript,
      isPartial: result.isPartial,
    };
    this.#captions.set(result.resultId, caption);
    for (const oldest of this.#captions.keys()) {
      if (this.#captions.size <= MOST) break;
      this.#captions.delete(oldest);
    }
    return caption;
  }
}
