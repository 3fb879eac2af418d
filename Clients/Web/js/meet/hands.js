/**
 * Raised hands: data messages on one topic. The meeting keeps these messages for attendees who join
 * later.
 */

export const HAND_TOPIC = "hand";

/** The topic of messages with which a host lowers hands. Only the server sends on this topic. */
export const LOWERED_TOPIC = "carillon:hands-lowered";

/**
 * How long the meeting keeps a raised hand, in milliseconds. While the hand stays raised, the
 * client sends the message again every `HAND_AGAIN_MS`, before the earlier message expires.
 */
export const HAND_LIFETIME_MS = 300_000;
export const HAND_AGAIN_MS = 240_000;

/** The largest number of attendees whose hands the page stores. */
const MOST = 1_000;

export class Hands {
  /** @type {Map<string, number>} */
  #changed = new Map();
  /**
   * The time at which each attendee raised the hand, by the server's clock.
   * @type {Map<string, number>}
   */
  #raised = new Map();
  /** The time at which a host last lowered all hands, by the server's clock. */
  #allLoweredMs = 0;

  /** The ids of the attendees with a raised hand. */
  get raised() {
    return this.#raised;
  }

  /**
   * The ids of the attendees with a raised hand, in the order in which these attendees raised their
   * hands, by the server's clock.
   */
  get inOrder() {
    return [...this.#raised].sort(([, one], [, other]) => one - other).map(([attendeeId]) => attendeeId);
  }

  /**
   * Applies a message with which an attendee raises or lowers the hand. A message has no effect if
   * a newer message of the same sender has arrived. A message that the sender sent again contains
   * the time of the first message, so a hand has the same place for attendees who join later.
   * @param {import("../carillon/carillon.js").DataMessage} message
   * @returns {boolean} whether this message raised the hand
   */
  take(message) {
    const { raised, sinceMs } = message.json() ?? {};
    const { senderAttendeeId: id, timestampMs } = message;
    if (this.#allLoweredMs > timestampMs) return false;
    const isPlausible = Number.isFinite(sinceMs) && sinceMs > 0 && sinceMs < timestampMs;
    return this.#change(id, raised === true, timestampMs, isPlausible ? sinceMs : timestampMs);
  }

  /**
   * Applies a host's message, which lowers the hands of some attendees or of all attendees. If an
   * attendee raised the hand after the server sent the message, the hand stays raised.
   * @param {import("../carillon/carillon.js").DataMessage} message
   */
  lower(message) {
    const { all, attendeeIds } = message.json() ?? {};
    if (all === true) this.#allLoweredMs = Math.max(this.#allLoweredMs, message.timestampMs);
    const lowered = all === true ? [...this.#raised.keys()] : Array.isArray(attendeeIds) ? attendeeIds : [];
    for (const id of lowered) if (typeof id === "string") this.#change(id, false, message.timestampMs);
  }

  /**
   * Raises or lowers a hand, unless the page knows a later change of this hand.
   * @param {string} id
   * @param {boolean} isRaised
   * @param {number} timeMs the time of the change, by the server's clock
   * @param {number} [sinceMs] the time at which the attendee raised the hand, by the server's clock
   * @returns {boolean} whether this change raised the hand
   */
  #change(id, isRaised, timeMs, sinceMs = timeMs) {
    if ((this.#changed.get(id) ?? 0) > timeMs) return false;
    if (this.#changed.size >= MOST && !this.#changed.has(id)) return false;
    this.#changed.set(id, timeMs);
    return this.set(id, isRaised, sinceMs);
  }

  /**
   * @param {string} attendeeId
   * @param {boolean} isRaised
   * @param {number} timeMs the time by the server's clock
   * @returns {boolean} whether this change raised the hand
   */
  set(attendeeId, isRaised, timeMs) {
    const goesUp = isRaised && !this.#raised.has(attendeeId);
    if (goesUp) this.#raised.set(attendeeId, timeMs);
    if (!isRaised) this.#raised.delete(attendeeId);
    return goesUp;
  }

  /** @param {string} attendeeId the attendee who left */
  forget(attendeeId) {
    this.#changed.delete(attendeeId);
    this.#raised.delete(attendeeId);
  }
}
