import { make, say } from "../elements.js";

/**
 * @typedef {object} Notice
 * @property {string} text
 * @property {string} button the label of the action
 * @property {() => void} act
 * @property {boolean} [stays] whether only the button of the action closes the notice
 * @property {{ button: string, act: () => void }} [decline] replaces the button that closes the notice
 */

/**
 * Shows notices that offer the user an action and do not block the meeting. Each subject has one
 * line, and the newest line is the last.
 */
export class Notices {
  #view;
  /** @type {Map<string, HTMLElement>} */
  #shown = new Map();

  /**
   * @param {HTMLElement} room the element in which all objects of this class show their notices in
   *   one list
   */
  constructor(room) {
    const attributes = { "aria-label": say("Notices") };
    this.#view = room.querySelector(".notices") ?? make("section", { class: "notices", attributes });
    room.append(this.#view);
  }

  /**
   * Shows a notice. The notice replaces an earlier notice with the same subject.
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
   * Removes a notice. If the notice has the focus, the focus moves to the microphone's button.
   * @param {string} subject
   */
  take(subject) {
    const line = this.#shown.get(subject);
    const hadFocus = line?.contains(document.activeElement);
    line?.remove();
    this.#shown.delete(subject);
    if (hadFocus) document.getElementById("mute")?.focus();
  }

  /** Removes all notices of this object. If the list is then empty, removes the list, too. */
  close() {
    for (const line of this.#shown.values()) line.remove();
    this.#shown.clear();
    if (!this.#view.childElementCount) this.#view.remove();
  }
}
