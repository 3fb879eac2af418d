import { byId, make, say } from "../elements.js";
import { prefer, preference } from "./kept.js";
import { LaterPart } from "./later-part.js";
import { commandOf, HeldTalk, isTalkKey, TALK_KEY } from "./shortcuts.js";

/** A selector of inputs into which a user types no text. */
const NO_TEXT = "[type=checkbox], [type=radio], [type=button], [type=submit], [type=range]";

/**
 * @typedef {object} KeyActions
 * @property {(command: Exclude<import("./shortcuts.js").Command, "help">) => void} run
 * @property {() => { isMuted: boolean, isMutedByOther: boolean }} microphone
 * @property {(isOpen: boolean) => void} talk
 * @property {() => void} notLoaded called if the module with the help texts did not load
 */

/** The room's keyboard shortcuts, their help, and the switch for single keys (WCAG 2.1.4). */
export class Keys {
  #actions;
  #talk = new HeldTalk();
  #words = new LaterPart(() => import("./words/keys.js"), () => this.#actions.notLoaded());
  #dialog = byId("help", HTMLDialogElement);
  #single = byId("single-keys", HTMLInputElement);

  /**
   * @param {KeyActions} actions
   * @param {AbortSignal} signal
   */
  constructor(actions, signal) {
    this.#actions = actions;
    this.#single.checked = preference("single-keys") !== "off";
    this.#single.addEventListener("change", () => prefer("single-keys", this.#single.checked ? "on" : "off"), { signal });
    byId("help-open", HTMLElement).addEventListener("click", () => void this.#help(), { signal });
    byId("help-close", HTMLElement).addEventListener("click", () => this.#dialog.close(), { signal });
    // Handle key events in the capture phase, so that no element of the page can stop these events:
    // if the page missed the release of the key, the microphone would stay open.
    const listen = { signal, capture: true };
    addEventListener("keydown", (event) => this.#pressed(event), listen);
    addEventListener("keyup", (event) => event.key.toLowerCase() === TALK_KEY && this.release(), listen);
    addEventListener("blur", (event) => event.target === window && this.release(), listen);
    document.addEventListener("visibilitychange", () => document.hidden && this.release(), { signal });
    signal.addEventListener("abort", () => this.#dialog.close(), { once: true });
  }

  /** Whether the user holds the key for push-to-talk, which keeps the microphone open. */
  get isTalking() {
    return this.#talk.isHeld;
  }

  /** Ends push-to-talk. */
  release() {
    if (this.#talk.release()) this.#actions.talk(false);
  }

  /** Shows the help. The first call loads the help's texts. */
  async #help() {
    const words = await this.#words.ask();
    if (!words) return;
    byId("key-list", HTMLElement).replaceChildren(...words.keyHelp.map(line));
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.isComposing) return;
    if (this.#talk.isHeld && event.key.toLowerCase() === TALK_KEY) return event.preventDefault();
    const situation = {
      areSingleKeysOn: this.#single.checked,
      isTyping: isTyping(event.target),
      isDialogOpen: document.querySelector("dialog[open]") !== null,
    };
    if (!event.repeat && isTalkKey(event, situation)) {
      event.preventDefault();
      if (this.#talk.press(this.#actions.microphone())) this.#actions.talk(true);
      return;
    }
    const command = commandOf(event, situation);
    if (!command) return;
    event.preventDefault();
    if (command === "help") void this.#help();
    else this.#actions.run(command);
  }
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || (target.matches("input, textarea, select") && !target.matches(NO_TEXT));
}

/** @param {{ keys: readonly string[], does: string }} each */
function line({ keys, does }) {
  const names = keys.flatMap((key, at) => [at ? ` ${say("or")} ` : "", make("kbd", { text: key })]);
  return make("div", {}, make("dt", {}, ...names), make("dd", { text: does }));
}
