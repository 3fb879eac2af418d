/**
 * The time after a failed load, in milliseconds. During this time, only a user's click loads the
 * part again.
 */
const PAUSE_MS = 10_000;

/**
 * A part of the page that loads with its first use. If the part does not load after a user's click,
 * the page reports the failure to the user. The next click tries to load the part again.
 * @template T
 */
export class LaterPart {
  #load;
  #failed;
  #now;
  /** @type {Promise<T> | null} */
  #loading = null;
  #failedAt = -Infinity;

  /**
   * @param {() => Promise<T>} load
   * @param {() => void} failed called if the part does not load after a user's click
   * @param {() => number} [now] milliseconds
   */
  constructor(load, failed, now = () => performance.now()) {
    this.#load = load;
    this.#failed = failed;
    this.#now = now;
  }

  /** Whether the page has loaded the part or is loading it. */
  get isWanted() {
    return this.#loading !== null;
  }

  /**
   * Loads the part after a user's click, and returns the part.
   * @returns {Promise<T | null>} `null` if the part did not load
   */
  async ask() {
    const part = await this.#loaded();
    if (!part) this.#failed();
    return part;
  }

  /**
   * Loads the part for an event that no user caused, and returns the part. The page does not report
   * a failure to the user. For 10 s after a failure, this method does not try to load the part
   * again.
   * @returns {Promise<T | null>} `null` if the part did not load
   */
  async get() {
    const isAway = !this.#loading && this.#now() - this.#failedAt < PAUSE_MS;
    return isAway ? null : this.#loaded();
  }

  /**
   * Calls `act` with the part, if the page has loaded the part or is loading it.
   * @param {(part: T) => unknown} act
   */
  ifLoaded(act) {
    this.#loading?.then(act, () => undefined);
  }

  async #loaded() {
    this.#loading ??= this.#load();
    try {
      return await this.#loading;
    } catch (error) {
      console.warn("A part of the page did not load.", error);
      this.#loading = null;
      this.#failedAt = this.#now();
      return null;
    }
  }
}
