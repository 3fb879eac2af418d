import { make } from "../elements.js";

/** How long the page shows a preview, in milliseconds. */
const SHOWN_MS = 6_000;

/** Shows the newest chat message, while the chat is not open, in a button that opens the chat. */
export class ChatPreview {
  #name = make("bdi");
  #text = make("bdi");
  #view = make("button", { class: "chat-preview", attributes: { type: "button", tabindex: "-1" } });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #clock;

  /**
   * @param {HTMLElement} stage
   * @param {() => void} open opens the chat
   */
  constructor(stage, open) {
    this.#view.append(make("b", {}, this.#name, ":"), " ", this.#text);
    this.#view.hidden = true;
    this.#view.addEventListener("click", () => {
      this.hide();
      open();
    });
    stage.append(this.#view);
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  show(name, text) {
    this.#name.textContent = name;
    this.#text.textContent = text;
    this.#view.hidden = false;
    clearTimeout(this.#clock);
    this.#clock = setTimeout(() => this.hide(), SHOWN_MS);
  }

  /** Hides the preview, for instance when the chat opens. */
  hide() {
    clearTimeout(this.#clock);
    this.#view.hidden = true;
  }

  /** Removes the preview. */
  close() {
    clearTimeout(this.#clock);
    this.#view.remove();
  }
}
