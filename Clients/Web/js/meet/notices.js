import { make, say } from "../elements.js";

/**
 * @typedef {object} Notice
 * @property {string} text
 * @property {string} button the label of the action
 * @property {() => void} act
 * @property {boolean} [stays] whether only the action's button closes the notice
 */

/**
 * Notices that offer an action without blocking the meeting: one line for each subject, the newest
 * last.
 */
export class Notices {
  #view = make("section", { class: "notices", attributes: { "aria-label": say("Notices") } });
  /** @type {Map<string, HTMLElement>} */
  #shown = new Map();

  /** @param {HTMLElement} room */
  constructor(room) {
    room.append(this.#view);
  }

  /**
   * Shows a notice. It replaces an earlier one with the same subject.
   * @param {string} subject
   * @param {Notice} notice
   */
  show(subject, { text, button, act, stays = false }) {
    this.take(subject);
    const yes = make("button", { class: "button small", text: button, attributes: { type: "button" } });
    const no = make("button", { class: "button quiet small", text: say("Close"), attributes: { type: "button" } });
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

  /** Removes all notices. */
  close() {
    this.#view.remove();
  }
}
