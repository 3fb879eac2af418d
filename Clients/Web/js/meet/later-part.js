/** How long a part that did not load stays away when no user asks for it, in milliseconds. */
const PAUSE_MS = 10_000;

/**
 * A part of the page that loads with its first use. If it does not load, the page says so to the user who asked
 * for it, and the next click loads it again.
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
   * Returns the part for an event that no user caused. A failure is silent, and the part then stays away for 10 s.
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
