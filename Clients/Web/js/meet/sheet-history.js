/**
 * In a small window, the browser's button Back closes the sheets, the newest sheet first. Each open
 * sheet has one entry in the browser's history. If the user closes a sheet in another way, the
 * entry stays for the next sheet, because a script cannot remove an entry immediately.
 */
export class SheetHistory {
  /** @type {Map<string, () => void>} */
  #open = new Map();
  #history;
  #entries = 0;

  /**
   * @param {AbortSignal} signal
   * @param {{ history: Pick<History, "pushState">, addEventListener: typeof addEventListener }} [page]
   */
  constructor(signal, page = globalThis) {
    this.#history = page.history;
    page.addEventListener("popstate", ({ state }) => this.#moved(state), { signal });
  }

  /**
   * Adds a sheet. A sheet that is already open keeps its place.
   * @param {string} name
   * @param {() => void} close closes the sheet
   */
  opened(name, close) {
    this.#open.set(name, close);
    while (this.#entries < this.#open.size) this.#history.pushState({ sheets: (this.#entries += 1) }, "");
  }

  /** @param {string} name */
  closed(name) {
    this.#open.delete(name);
  }

  /** @param {unknown} state the state of the entry that the user moved to */
  #moved(state) {
    this.#entries = entriesOf(state);
    for (const [name, close] of [...this.#open].reverse()) {
      if (this.#open.size <= this.#entries) return;
      this.#open.delete(name);
      close();
    }
  }
}

/** @param {any} state */
const entriesOf = (state) => (Number.isSafeInteger(state?.sheets) ? state.sheets : 0);
