/** Objects that want to be told. One that throws is reported, and keeps nobody from being told. */
export class Observers {
  /** @type {Set<Record<string, any>>} */
  #members = new Set();

  /** @param {Record<string, any>} observer with whichever of the callbacks it wants */
  add(observer) {
    this.#members.add(observer);
  }

  /** @param {Record<string, any>} observer */
  remove(observer) {
    this.#members.delete(observer);
  }

  /**
   * Calls one callback of all that have it.
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
