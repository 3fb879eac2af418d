/**
 * The log of a meeting's captions. It keeps the latest revision of each result.
 *
 * @typedef {object} Caption
 * @property {string} resultId
 * @property {string} speaker
 * @property {string} text
 * @property {boolean} isPartial
 */

/** The largest number of captions that the log stores. */
const MOST = 60;

export class CaptionLog {
  /** @type {Map<string, Caption>} */
  #captions = new Map();

  /** The captions, in the order in which they began. */
  get captions() {
    return [...this.#captions.values()];
  }

  /**
   * Adds a result. The result replaces an earlier partial result with the same id.
   * @param {import("../carillon/meeting/transcript.js").TranscriptResult} result
   * @returns {Caption | null} `null` if nothing changes
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
