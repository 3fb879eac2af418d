/** Raised hands: data messages on a topic, which the meeting keeps for attendees who join later. */

export const HAND_TOPIC = "hand";

/**
 * How long the meeting keeps a raised hand, in milliseconds. The client resends a hand that is
 * still raised every `HAND_AGAIN_MS`, before the message expires.
 */
export const HAND_LIFETIME_MS = 300_000;
export const HAND_AGAIN_MS = 240_000;

/** The largest number of attendees whose hands are stored. */
const MOST = 1_000;

export class Hands {
  /** @type {Map<string, number>} */
  #changed = new Map();
  /**
   * When each hand went up, by the server's clock.
   * @type {Map<string, number>}
   */
  #raised = new Map();

  /** The ids of the attendees with a raised hand. */
  get raised() {
    return this.#raised;
  }

  /** The ids of the attendees with a raised hand, in the order in which the server received the hands. */
  get inOrder() {
    return [...this.#raised].sort(([, one], [, other]) => one - other).map(([attendeeId]) => attendeeId);
  }

  /**
   * Applies a message of the topic. A message older than its sender's last one has no effect.
   * @param {import("../carillon/carillon.js").DataMessage} message
   * @returns {boolean} whether the hand was raised now
   */
  take(message) {
    const isRaised = message.json()?.raised === true;
    if ((this.#changed.get(message.senderAttendeeId) ?? 0) > message.timestampMs) return false;
    if (this.#changed.size >= MOST && !this.#changed.has(message.senderAttendeeId)) return false;
    this.#changed.set(message.senderAttendeeId, message.timestampMs);
    return this.set(message.senderAttendeeId, isRaised, message.timestampMs);
  }

  /**
   * @param {string} attendeeId
   * @param {boolean} isRaised
   * @param {number} timeMs by the server's clock
   * @returns {boolean} whether a hand went up
   */
  set(attendeeId, isRaised, timeMs) {
    const goesUp = isRaised && !this.#raised.has(attendeeId);
    if (goesUp) this.#raised.set(attendeeId, timeMs);
    if (!isRaised) this.#raised.delete(attendeeId);
    return goesUp;
  }

  /** @param {string} attendeeId who left */
  forget(attendeeId) {
    this.#changed.delete(attendeeId);
    this.#raised.delete(attendeeId);
  }
}
