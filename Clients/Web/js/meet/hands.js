/** Raised hands: data messages on a topic, which the meeting keeps for attendees who join later. */

export const HAND_TOPIC = "hand";

/** The topic on which a host lowers hands. Only the server sends on it. */
export const LOWERED_TOPIC = "carillon:hands-lowered";

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
  /** When a host last lowered all hands, by the server's clock. */
  #allLoweredMs = 0;

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
    if (this.#allLoweredMs > message.timestampMs) return false;
    return this.#change(message.senderAttendeeId, isRaised, message.timestampMs);
  }

  /**
   * Applies a host's message, which lowers the hands of some attendees or of all. A hand that went
   * up later stays up.
   * @param {import("../carillon/carillon.js").DataMessage} message
   */
  lower(message) {
    const { all, attendeeIds } = message.json() ?? {};
    if (all === true) this.#allLoweredMs = Math.max(this.#allLoweredMs, message.timestampMs);
    const lowered = all === true ? [...this.#raised.keys()] : Array.isArray(attendeeIds) ? attendeeIds : [];
    for (const id of lowered) if (typeof id === "string") this.#change(id, false, message.timestampMs);
  }

  /**
   * Changes a hand, unless a later change is known.
   * @param {string} id
   * @param {boolean} isRaised
   * @param {number} timeMs by the server's clock
   * @returns {boolean} whether the hand went up
   */
  #change(id, isRaised, timeMs) {
    if ((this.#changed.get(id) ?? 0) > timeMs) return false;
    if (this.#changed.size >= MOST && !this.#changed.has(id)) return false;
    this.#changed.set(id, timeMs);
    return this.set(id, isRaised, timeMs);
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
