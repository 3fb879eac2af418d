import { AudioDeviceError, VideoDeviceError } from "../carillon/carillon.js";
import { keepInView, make } from "../elements.js";
import { refusalText, words } from "./words/devices.js";

/**
 * @typedef {import("./words/devices.js").Thing} Thing
 * @typedef {import("./refusals.js").Refusal} Refusal
 */

/**
 * The time after which the page points to the browser's prompt if the browser has not opened a
 * device, in milliseconds.
 */
const WAIT_MS = 500;

/** Shows why a device does not open, and what the user can do about it. */
export class RefusalView {
  #view;
  #shown;

  /**
   * @param {HTMLElement} view
   * @param {() => void} shown called when a problem appears that the user must see
   */
  constructor(view, shown) {
    this.#view = view;
    this.#shown = shown;
  }

  /** Hides the message. If a button of the message has the focus, the list of devices gets the focus. */
  clear() {
    if (this.#view.contains(document.activeElement)) this.#view.parentElement?.querySelector("select")?.focus();
    this.#view.hidden = true;
    this.#view.replaceChildren();
    delete this.#view.dataset["refusal"];
  }

  /**
   * Shows a sentence, optionally with a button.
   * @param {string} sentence
   * @param {string} [button]
   * @param {() => void} [act]
   */
  say(sentence, button, act) {
    const parts = /** @type {Node[]} */ ([make("p", { text: sentence })]);
    if (button) {
      const element = make("button", { class: "button small", text: button, attributes: { type: "button" } });
      element.addEventListener("click", () => {
        this.clear();
        act?.();
      });
      parts.push(element);
    }
    this.#view.replaceChildren(...parts);
    this.#appear();
    this.#shown();
  }

  /**
   * Opens a device. While the browser waits for the user's permission, points to the browser's
   * prompt. If the device does not open, shows the reason.
   * @param {Thing} thing
   * @param {() => Promise<unknown>} open rejects with an error whose cause is the browser's error
   * @param {() => void} again the action that the button starts
   * @returns {Promise<Refusal | null>} `null` when the device is open
   */
  async opening(thing, open, again) {
    const clock = setTimeout(() => this.#wait(thing), WAIT_MS);
    try {
      await open();
      this.clear();
      return null;
    } catch (error) {
      return this.#refused(thing, error, again);
    } finally {
      clearTimeout(clock);
    }
  }

  /** @param {Thing} thing */
  #wait(thing) {
    this.#view.dataset["refusal"] = "waiting";
    this.#view.replaceChildren(make("p", { text: refusalText("waiting", thing) }));
    this.#appear();
  }

  /** Shows the message, and scrolls to it in a small window. */
  #appear() {
    this.#view.hidden = false;
    keepInView(this.#view);
  }

  /**
   * @param {Thing} thing
   * @param {unknown} error
   * @param {() => void} again
   */
  async #refused(thing, error, again) {
    if (!(error instanceof AudioDeviceError || error instanceof VideoDeviceError)) throw error;
    const { placeOf, refusalOf } = await import("./refusals.js");
    const feature = thing === "camera" ? "camera" : "microphone";
    const refusal = refusalOf(error.cause, placeOf(feature));
    const [button, act] = nextStep(refusal, again);
    this.say(refusalText(refusal, thing), button, act);
    this.#view.dataset["refusal"] = refusal;
    return refusal;
  }
}

/**
 * @param {Refusal} refusal
 * @param {() => void} again
 * @returns {[string?, (() => void)?]}
 */
function nextStep(refusal, again) {
  if (refusal === "insecure") return [];
  if (refusal === "framed") return [words.ownTab, () => void open(location.href, "_blank", "noopener")];
  return [refusal === "missing" ? words.lookAgain : words.tryAgain, again];
}
