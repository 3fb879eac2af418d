/** The sheets of small windows: panels and dialogs that Back closes, and the dialog More. */
import { byId, make } from "../elements.js";
import { SheetHistory } from "./sheet-history.js";
import { words } from "./words/sheets.js";

/** The media query for windows in which panels cover a part of the stage (css/meet.css). */
const SMALL = "(max-width: 52rem), (max-height: 26.24rem)";
/** The media query for windows in which the controls have the button More (css/meet.css). */
const HAS_MORE = "(max-width: 37.49rem), (max-height: 26.24rem)";
/** The selector of the controls that stay beside the button More. */
const KEPT = "#mute, #camera, #hand, #chat-toggle, #more, #leave";
const MOVED = [`.controls > .control:not(${KEPT})`, ".bar > :is(#layout, #pip, #help-open, #copy-link)"];
/** The ids of the panels, each with the id of the button that closes the panel. */
const PANELS = new Map([
  ["chat", "chat-close"],
  ["people", "people-close"],
  ["captions", "captions-close"],
]);

/** Tracks the open sheets of the room, so that Back can close them. */
export class Sheets {
  #history;
  #room = byId("room", HTMLElement);
  #small = matchMedia(SMALL);
  #more;
  #changes = new MutationObserver(() => this.#follow());
  /** @type {Set<string>} */
  #shown = new Set();

  /** @param {AbortSignal} signal */
  constructor(signal) {
    this.#history = new SheetHistory(signal);
    this.#more = new More(this.#room, signal);
    this.#small.addEventListener("change", () => this.#follow(), { signal });
    signal.addEventListener("abort", () => this.#changes.disconnect(), { once: true });
    this.#changes.observe(this.#room, { childList: true });
    this.#follow();
  }

  /** Opens the dialog More. */
  openMore() {
    this.#more.open();
  }

  /** Finds the sheets that opened or closed, and updates the history. */
  #follow() {
    const sheets = [...this.#panels(), ...this.#dialogs()];
    for (const { element } of sheets) this.#changes.observe(element, { attributeFilter: ["hidden", "open"] });
    const isShown = (/** @type {{ isOpen: boolean }} */ { isOpen }) => isOpen && this.#small.matches;
    // Closed sheets come first, because a sheet that replaces a closed sheet also takes over the
    // closed sheet's history entry.
    for (const { name } of sheets.filter((sheet) => !isShown(sheet))) this.#closed(name);
    for (const { name, close } of sheets.filter(isShown)) this.#opened(name, close);
  }

  /** @param {string} name */
  #closed(name) {
    if (this.#shown.delete(name)) this.#history.closed(name);
  }

  /**
   * @param {string} name
   * @param {() => void} close
   */
  #opened(name, close) {
    if (this.#shown.has(name)) return;
    this.#shown.add(name);
    this.#history.opened(name, close);
  }

  #panels() {
    return [...PANELS].map(([name, closer]) => {
      const element = byId(name, HTMLElement);
      return { element, name, isOpen: !element.hidden, close: () => document.getElementById(closer)?.click() };
    });
  }

  #dialogs() {
    return [...this.#room.querySelectorAll("dialog")].map((element) => {
      return { element, name: element.id || element.className, isOpen: element.open, close: () => element.close() };
    });
  }
}

/** The dialog More: while it is open, it contains the controls for which a small window has no room. */
class More {
  #list = make("div", { class: "more-list" });
  #dialog = make("dialog", { class: "card more-sheet", attributes: { id: "more-sheet", "aria-labelledby": "more-title" } });
  /** @type {Map<Element, Comment>} */
  #places = new Map();

  /**
   * @param {HTMLElement} room
   * @param {AbortSignal} signal
   */
  constructor(room, signal) {
    const close = make("button", { class: "button quiet small", text: words.close, attributes: { type: "button" } });
    const title = make("h2", { text: words.more, attributes: { id: "more-title" } });
    this.#dialog.append(make("div", { class: "chat-head" }, title, close), this.#list);
    room.append(this.#dialog);
    const closes = () => this.#dialog.close();
    close.addEventListener("click", closes);
    // The dialog closes before the clicked button opens another dialog, so that the focus is on
    // More when the other dialog opens.
    this.#list.addEventListener("click", ({ target }) => target !== this.#list && closes(), { capture: true });
    // A click beside the dialog has the dialog as its target.
    this.#dialog.addEventListener("click", ({ target }) => target === this.#dialog && closes());
    this.#dialog.addEventListener("close", () => this.#putBack());
    matchMedia(HAS_MORE).addEventListener("change", closes, { signal });
    signal.addEventListener("abort", () => this.#remove(), { once: true });
  }

  open() {
    if (this.#dialog.open) return;
    this.#putBack();
    for (const button of MOVED.flatMap((kind) => [...document.querySelectorAll(kind)])) {
      const place = new Comment();
      this.#places.set(button, place);
      button.replaceWith(place);
      this.#list.append(button);
    }
    this.#dialog.showModal();
    this.#list.querySelector("button")?.focus();
  }

  #putBack() {
    for (const [button, place] of this.#places) {
      // If a button is no longer in the dialog, another part of the page has removed it
      // permanently.
      if (button.parentElement === this.#list) place.replaceWith(button);
      else place.remove();
    }
    this.#places.clear();
  }

  #remove() {
    this.#dialog.close();
    this.#putBack();
    this.#dialog.remove();
  }
}
