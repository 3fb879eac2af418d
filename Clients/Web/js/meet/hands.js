/** Raised hands: data messages on a topic, kept by the meeting for those who come later. */

export const HAND_TOPIC = "hand";

/** How long the meeting keeps one; as it ends early, whoever still raises it says so again. */
export const HAND_LIFETIME_MS = 300_000;
export const HAND_AGAIN_MS = 240_000;

/** The most attendees whose hands are remembered. */
const MOST = 1_000;

export class Hands {
  /** @type {Map<string, number>} */
  #changed = new Map();
  /**
   * When each hand went up, by the server's clock.
   * @type {Map<string, number>}
   */
  #raised = new Map();

  /** Attendee ids of those who raised one. */
  get raised() {
    return this.#raised;
  }

  /** Attendee ids of those who raised one, in the order in which the server received their hands. */
  get inOrder() {
    return [...this.#raised].sort(([, one], [, other]) => one - other).map(([attendeeId]) => attendeeId);
  }

  /**
   * Takes a message of the topic. An older one than the last of its sender changes nothing.
   * @param {import("../carillon/carillon.js").DataMessage} message
   * @returns {boolean} whether a hand went up
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

  /** @param {string} attendeeId who has gone */
  forget(attendeeId) {
    this.#changed.delete(attendeeId);
    this.#raised.delete(attendeeId);
  }
}
