import { focusOn, make, shownOf } from "../elements.js";
import { REACTION_PAUSE_MS, REACTION_SHOWN_MS, REACTION_TOPIC, Reactions, reactions } from "./reactions.js";
import { words } from "./words/reactions.js";

/**
 * Shows the buttons that send reactions, and shows the reactions of all attendees over the stage.
 */
export class ReactionsView {
  #reactions = new Reactions();
  #session;
  #opener;
  #tell;
  #buttons = reactions.map((text) => this.#button(text));
  #choice = make("div", { class: "reaction-choice", attributes: { role: "group", "aria-label": words.choose } }, ...this.#buttons);
  // Screen readers skip this list, because the announcer already announces who reacted.
  #list = make("div", { class: "reactions", attributes: { "aria-hidden": "true" } });
  /** @type {Set<ReturnType<typeof setTimeout>>} */
  #clocks = new Set();

  /**
   * @param {import("../carillon/meeting/audio-video.js").AudioVideo} session
   * @param {HTMLElement} opener the button that opens the list of reactions
   * @param {HTMLElement} stage
   * @param {(news: import("./announcer.js").NewsOfPeople) => void} tell
   */
  constructor(session, opener, stage, tell) {
    this.#session = session;
    this.#opener = opener;
    this.#tell = tell;
    this.#choice.hidden = true;
    this.#choice.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.toggle();
      focusOn(opener);
    });
    stage.append(this.#list);
  }

  /** Removes the view. */
  close() {
    for (const clock of this.#clocks) clearTimeout(clock);
    this.#choice.remove();
    this.#list.remove();
    this.#opener.setAttribute("aria-expanded", "false");
  }

  /** Opens or closes the list of reactions. */
  toggle() {
    this.#choice.hidden = !this.#choice.hidden;
    // The list of reactions follows the button in the document, so Tab moves the focus from the
    // button to the list.
    shownOf(this.#opener).after(this.#choice);
    this.#opener.setAttribute("aria-expanded", `${!this.#choice.hidden}`);
    if (!this.#choice.hidden) this.#buttons[0]?.focus();
  }

  /**
   * Shows a reaction of another attendee.
   * @param {import("../carillon/carillon.js").DataMessage} message
   */
  take(message) {
    if (message.throttled) return;
    const { senderAttendeeId: id, senderDisplayName: name } = message;
    if (this.#show(id, name, message.json()?.reaction)) this.#tell({ kind: "reaction", id, name });
  }

  /**
   * @param {string} sender
   * @param {string} name
   * @param {unknown} text
   * @returns {boolean} whether the view shows the reaction
   */
  #show(sender, name, text) {
    if (!this.#reactions.take({ sender, text }, performance.now())) return false;
    const line = make("p", { class: "reaction" }, `${text} `, make("bdi", { text: name }));
    this.#list.append(line);
    this.#after(REACTION_SHOWN_MS, () => line.remove());
    return true;
  }

  /** @param {string} text */
  #send(text) {
    if (!this.#show("", words.you, text)) return;
    this.#session.realtimeSendDataMessage(REACTION_TOPIC, { reaction: text });
    for (const button of this.#buttons) button.setAttribute("aria-disabled", "true");
    this.#after(REACTION_PAUSE_MS, () => this.#buttons.forEach((button) => button.removeAttribute("aria-disabled")));
  }

  /**
   * @param {number} milliseconds
   * @param {() => void} act
   */
  #after(milliseconds, act) {
    const clock = setTimeout(() => {
      this.#clocks.delete(clock);
      act();
    }, milliseconds);
    this.#clocks.add(clock);
  }

  /** @param {string} text */
  #button(text) {
    const label = words.names[text] ?? "";
    const button = make("button", { text, attributes: { type: "button", "aria-label": label, title: label } });
    button.addEventListener("click", () => this.#send(text));
    return button;
  }
}
