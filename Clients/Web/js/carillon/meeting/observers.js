/**
 * A set of observers. If an observer throws an error, the set reports the error and still calls the
 * other observers.
 */
export class Observers {
  /** @type {Set<Record<string, any>>} */
  #members = new Set();

  /** @param {Record<string, any>} observer implements any of the callbacks */
  add(observer) {
    this.#members.add(observer);
  }

  /** @param {Record<string, any>} observer */
  remove(observer) {
    this.#members.delete(observer);
  }

  /**
   * Calls one callback on every observer that implements it.
   * @param {string} name
   * @param {...unknown} values
   */
  tell(name, ...values) {
    for (const observer of [...this.#members]) {
      if (typeof observer[name] !== "function") continue;
      try {
        observer[name](...values);
      } catch (error) {
        reportError(error);
      }
    }
  }
}
