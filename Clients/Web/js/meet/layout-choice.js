/** The layout that somebody chose, and the one of a share, which lasts as long as the share. */

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

  /** The layout in force. */
  get layout() {
    return this.#isShared ? this.#whileShared : this.#chosen;
  }

  /** What a later visit begins with. */
  get chosen() {
    return this.#chosen;
  }

  /** @param {boolean} isShared whether somebody shares a screen now */
  share(isShared) {
    if (isShared && !this.#isShared) this.#whileShared = "content";
    this.#isShared = isShared;
  }

  /** Chooses the next layout. A choice during a share ends with the share. */
  next() {
    if (this.#isShared) this.#whileShared = this.#whileShared === "content" ? "grid" : "content";
    else this.#chosen = this.#chosen === "grid" ? "speaker" : "grid";
    return this.layout;
  }
}
