import { byId } from "../elements.js";
import { Announcer } from "./announcer.js";

/** Announces news in the page's only live region, one item at a time. */
export class Speech {
  #announcer = new Announcer();
  #place = byId("announcer", HTMLElement);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #clock;

  /** @param {import("./announcer.js").News} news */
  tell(news) {
    this.#announcer.tell(news, performance.now());
    this.#wait();
  }

  /** Stops announcing. */
  close() {
    clearTimeout(this.#clock);
    this.#place.textContent = "";
  }

  #wait() {
    clearTimeout(this.#clock);
    const due = this.#announcer.dueAt;
    if (due !== null) this.#clock = setTimeout(() => this.#say(), Math.max(0, Math.ceil(due - performance.now())));
  }

  #say() {
    const text = this.#announcer.take(performance.now());
    // Screen readers read a new node even if its text is the same.
    if (text) this.#place.replaceChildren(text);
    this.#wait();
  }
}
