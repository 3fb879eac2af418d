/**
 * Hosts' requests to the user to unmute. Callers pass the current time to the methods. This module
 * does not access the page.
 */

/**
 * The topic of the requests. Only the server sends on this topic, and only to the attendee whom the
 * host asks to unmute.
 */
export const UNMUTE_TOPIC = "carillon:unmute-request";

/**
 * The topic of appointments. Only the server sends on this topic, and only to the attendee who
 * becomes a host.
 */
export const APPOINTED_TOPIC = "carillon:appointed";

/**
 * The time for which the page shows no further requests after the user has declined a request, in
 * milliseconds.
 */
export const DECLINED_MS = 30_000;

/** Decides whether the page shows a request. The page shows at most one request at a time. */
export class UnmuteRequests {
  #isShown = false;
  #quietUntil = -Infinity;

  /**
   * Processes a request.
   * @param {boolean} isMuted whether the user is muted
   * @param {number} now the current time, in milliseconds
   * @returns {boolean} whether the page shows the request now
   */
  take(isMuted, now) {
    if (!isMuted || this.#isShown || now < this.#quietUntil) return false;
    this.#isShown = true;
    return true;
  }

  /** Records that the user has unmuted, or wants to unmute. */
  fulfil() {
    this.#isShown = false;
  }

  /** @param {number} now the time, in milliseconds, when the user chose to stay muted */
  decline(now) {
    this.#isShown = false;
    this.#quietUntil = now + DECLINED_MS;
  }
}
