/** How long the page does not load a failed part again unless a user asks for it, in milliseconds. */
const PAUSE_MS = 10_000;

/**
 * A part of the page that loads with its first use. If the part does not load, the page tells the
 * user who asked for it. The next click loads the part again.
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
   * @param {() => void} failed called if the part does not load after a user asked for it
   * @param {() => number} [now] milliseconds
   */
  constructor(load, failed, now = () => performance.now()) {
    this.#load = load;
    this.#failed = failed;
    this.#now = now;
  }

  /** Whether the part is loaded or loading. */
  get isWanted() {
    return this.#loading !== null;
  }

  /**
   * Returns the part after a click.
   * @returns {Promise<T | null>} `null` if it did not load
   */
  async ask() {
    const part = await this.#loaded();
    if (!part) this.#failed();
    return part;
  }

  /**
   * Returns the part for an event that no user caused. A failure is silent. For 10 s after a
   * failure, this method does not load the part again.
   * @returns {Promise<T | null>} `null` if it did not load
   */
  async get() {
    const isAway = !this.#loading && this.#now() - this.#failedAt < PAUSE_MS;
    return isAway ? null : this.#loaded();
  }

  /**
   * Acts on the part if it is loaded or loading.
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
