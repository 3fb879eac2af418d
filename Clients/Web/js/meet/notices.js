import { make } from "../elements.js";

/**
 * @typedef {object} Notice
 * @property {string} text
 * @property {string} button what the user may do about it
 * @property {() => void} act
 * @property {boolean} [stays] whether only that button closes it
 */

/** What asks for an answer but does not stop the meeting: one line for each subject, the newest last. */
export class Notices {
  #view = make("section", { class: "notices", attributes: { "aria-label": "Notices" } });
  /** @type {Map<string, HTMLElement>} */
  #shown = new Map();

  /** @param {HTMLElement} room */
  constructor(room) {
    room.append(this.#view);
  }

  /**
   * Shows a notice in place of an earlier one with its subject.
   * @param {string} subject
   * @param {Notice} notice
   */
  show(subject, { text, button, act, stays = false }) {
    this.take(subject);
    const yes = make("button", { class: "button small", text: button, attributes: { type: "button" } });
    const no = make("button", { class: "button quiet small", text: "Close", attributes: { type: "button" } });
    yes.addEventListener("click", () => {
      this.take(subject);
      act();
    });
    no.addEventListener("click", () => this.take(subject));
    const line = make("div", { class: "notice-line" }, make("p", { text }), yes, ...(stays ? [] : [no]));
    this.#shown.set(subject, line);
    this.#view.append(line);
  }

  /**
   * Takes a notice back. A focus that was on it goes to the microphone's button.
   * @param {string} subject
   */
  take(subject) {
    const line = this.#shown.get(subject);
    const hadFocus = line?.contains(document.activeElement);
    line?.remove();
    this.#shown.delete(subject);
    if (hadFocus) document.getElementById("mute")?.focus();
  }

  /** Takes all of them away. */
  close() {
    this.#view.remove();
  }
}
