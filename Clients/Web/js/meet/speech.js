import { byId } from "../elements.js";
import { Announcer } from "./announcer.js";

/** Says news in the page's only live region, one after the other. */
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

  /** Says nothing any more. */
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
    // Other nodes with the same text are read again; the same text is not.
    if (text) this.#place.replaceChildren(text);
    this.#wait();
  }
}
