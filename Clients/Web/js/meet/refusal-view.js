import { AudioDeviceError, VideoDeviceError } from "../carillon/carillon.js";
import { make } from "../elements.js";
import { refusals, words } from "./words/devices.js";

/**
 * @typedef {import("./words/devices.js").Thing} Thing
 * @typedef {import("./refusals.js").Refusal} Refusal
 */

/** How long a browser may take to open a device before the page says that it waits for an answer. */
const WAIT_MS = 500;

/** Says in one place why a device does not open, and what to do. */
export class RefusalView {
  #view;
  #shown;

  /**
   * @param {HTMLElement} view
   * @param {() => void} shown called when a problem is shown that the user has to see
   */
  constructor(view, shown) {
    this.#view = view;
    this.#shown = shown;
  }

  /** Says nothing any more. */
  clear() {
    this.#view.hidden = true;
    this.#view.replaceChildren();
    delete this.#view.dataset["refusal"];
  }

  /**
   * Says a sentence, with a button beside it.
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
    this.#view.hidden = false;
    this.#shown();
  }

  /**
   * Opens a device. While the browser asks the user, says so; afterwards says why it does not open.
   * @param {Thing} thing
   * @param {() => Promise<unknown>} open rejects with an error whose cause is the browser's
   * @param {() => void} again what the button does
   * @returns {Promise<Refusal | null>} `null` when it is open
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
    this.#view.replaceChildren(make("p", { text: refusals.waiting(thing) }));
    this.#view.hidden = false;
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
    this.say(refusals[refusal](thing), button, act);
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
