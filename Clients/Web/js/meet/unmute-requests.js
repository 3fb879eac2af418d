/** The requests of hosts to unmute. Callers pass the time in. It does not touch the page. */

/** The topic of the requests. Only the server sends on it, and only to the asked attendee. */
export const UNMUTE_TOPIC = "carillon:unmute-request";

/** The topic of appointments. Only the server sends on it, and only to the appointed attendee. */
export const APPOINTED_TOPIC = "carillon:appointed";

/** How long requests have no effect after the user has declined one, in milliseconds. */
export const DECLINED_MS = 30_000;

/** Decides whether the page shows a request. At most one request is shown at a time. */
export class UnmuteRequests {
  #isShown = false;
  #quietUntil = -Infinity;

  /**
   * Processes a request.
   * @param {boolean} isMuted whether the user is muted
   * @param {number} now in milliseconds
   * @returns {boolean} whether the page shows the request now
   */
  take(isMuted, now) {
    if (!isMuted || this.#isShown || now < this.#quietUntil) return false;
    this.#isShown = true;
    return true;
  }

  /** The user has unmuted, or wants to unmute. */
  fulfil() {
    this.#isShown = false;
  }

  /** @param {number} now in milliseconds, when the user chose to stay muted */
  decline(now) {
    this.#isShown = false;
    this.#quietUntil = now + DECLINED_MS;
  }
}
