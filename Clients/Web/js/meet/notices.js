import { make, say } from "../elements.js";

/**
 * @typedef {object} Notice
 * @property {string} text
 * @property {string} button the label of the action
 * @property {() => void} act
 * @property {boolean} [stays] whether only the action's button closes the notice
 * @property {{ button: string, act: () => void }} [decline] replaces the button that closes the notice
 */

/**
 * Notices that offer an action without blocking the meeting: one line for each subject, the newest
 * last.
 */
export class Notices {
  #view;
  /** @type {Map<string, HTMLElement>} */
  #shown = new Map();

  /** @param {HTMLElement} room whose notices all share one list */
  constructor(room) {
    const attributes = { "aria-label": say("Notices") };
    this.#view = room.querySelector(".notices") ?? make("section", { class: "notices", attributes });
    room.append(this.#view);
  }

  /**
   * Shows a notice. It replaces an earlier one with the same subject.
   * @param {string} subject
   * @param {Notice} notice
   */
  show(subject, { text, button, act, stays = false, decline }) {
    this.take(subject);
    const yes = make("button", { class: "button small", text: button, attributes: { type: "button" } });
    const no = make("button", { class: "button quiet small", text: decline?.button ?? say("Close"), attributes: { type: "button" } });
    yes.addEventListener("click", () => {
      this.take(subject);
      act();
    });
    no.addEventListener("click", () => {
      this.take(subject);
      decline?.act();
    });
    const line = make("div", { class: "notice-line" }, make("p", { text }), yes, ...(stays ? [] : [no]));
    this.#shown.set(subject, line);
    this.#view.append(line);
  }

  /**
   * Removes a notice. If it has the focus, the focus moves to the microphone's button.
   * @param {string} subject
   */
  take(subject) {
    const line = this.#shown.get(subject);
    const hadFocus = line?.contains(document.activeElement);
    line?.remove();
    this.#shown.delete(subject);
    if (hadFocus) document.getElementById("mute")?.focus();
  }

  /** Removes all notices of this object, and the list if it is then empty. */
  close() {
    for (const line of this.#shown.values()) line.remove();
    this.#shown.clear();
    if (!this.#view.childElementCount) this.#view.remove();
  }
}
