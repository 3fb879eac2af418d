/** The layout that the user chose, and the layout during a share, which ends with the share. */

/** @typedef {import("./stage-layout.js").Layout} Layout */

export class LayoutChoice {
  /** @type {Layout} */
  #chosen;
  /** @type {Layout} */
  #whileShared = "content";
  #isShared = false;

  /** @param {unknown} [kept] the choice of an earlier visit */
  constructor(kept) {
    this.#chosen = kept === "speaker" ? "speaker" : "grid";
  }

  /** The current layout. */
  get layout() {
    return this.#isShared ? this.#whileShared : this.#chosen;
  }

  /** The choice to store for later visits. */
  get chosen() {
    return this.#chosen;
  }

  /** @param {boolean} isShared whether another attendee shares a screen */
  share(isShared) {
    if (isShared && !this.#isShared) this.#whileShared = "content";
    this.#isShared = isShared;
  }

  /** Switches to the next layout. A choice during a share lasts until the share ends. */
  next() {
    if (this.#isShared) this.#whileShared = this.#whileShared === "content" ? "grid" : "content";
    else this.#chosen = this.#chosen === "grid" ? "speaker" : "grid";
    return this.layout;
  }
}
