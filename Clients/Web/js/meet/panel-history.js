/**
 * Lets the browser's Back close a panel that covers the stage. A panel that was closed otherwise leaves
 * its entry in the history for the next one, because a script cannot take an entry back at once.
 */
export class PanelHistory {
  #isOpen = false;
  #hasEntry = false;

  /**
   * @param {() => void} close closes the panel
   * @param {AbortSignal} signal
   */
  constructor(close, signal) {
    const wentBack = () => {
      const closes = this.#isOpen;
      [this.#isOpen, this.#hasEntry] = [false, false];
      if (closes) close();
    };
    addEventListener("popstate", wentBack, { signal });
  }

  /** @param {boolean} isOpen */
  changed(isOpen) {
    this.#isOpen = isOpen;
    if (!isOpen || this.#hasEntry) return;
    this.#hasEntry = true;
    history.pushState(null, "");
  }
}
