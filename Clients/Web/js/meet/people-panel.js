import { byId, icon, make } from "../elements.js";
import { isFound } from "../search.js";
import { peopleOf } from "./people.js";
import { words } from "./words/people.js";

/**
 * @typedef {import("./people.js").Person} Person
 *
 * @typedef {object} Row
 * @property {HTMLLIElement} item
 * @property {HTMLElement} states
 * @property {string} shown the state that the row shows
 */

/**
 * The panel that lists the people of the meeting. An update changes only the rows whose people
 * changed.
 */
export class PeoplePanel {
  #panel = byId("people", HTMLElement);
  #count = byId("people-count", HTMLElement);
  #search = byId("people-search", HTMLInputElement);
  #none = byId("people-none", HTMLElement);
  #list = byId("people-list", HTMLUListElement);
  /** @type {Map<string, Row>} */
  #rows = new Map();
  /** @type {import("./people.js").Happening | null} */
  #last = null;
  #rowActions;

  /**
   * @param {AbortSignal} signal
   * @param {(attendee: { attendeeId: string, displayName: string, isOwn: boolean }) => HTMLElement[]} [rowActions]
   *   makes the buttons of a new row
   */
  constructor(signal, rowActions = () => []) {
    this.#rowActions = rowActions;
    this.#search.addEventListener("input", () => this.#last && this.show(this.#last), { signal });
    signal.addEventListener("abort", () => this.#close(), { once: true });
  }

  /** @param {import("./people.js").Happening} happening */
  show(happening) {
    this.#last = happening;
    if (this.#panel.hidden) return;
    const people = peopleOf(happening);
    setText(this.#count, words.count(people.length));
    for (const [id, { item }] of this.#rows) {
      if (happening.roster.has(id)) continue;
      item.remove();
      this.#rows.delete(id);
    }
    const rows = people.map((person) => this.#row(person));
    this.#order(rows.map(({ item }) => item));
    this.#none.hidden = rows.some(({ item }) => !item.hidden);
  }

  #close() {
    this.#search.value = "";
    this.#rows.clear();
    this.#list.replaceChildren();
    this.#last = null;
  }

  /**
   * @param {HTMLLIElement[]} items the items in the wanted order; an item at its correct position
   *   does not move
   */
  #order(items) {
    let next = this.#list.firstElementChild;
    for (const item of items) {
      if (item === next) next = next.nextElementSibling;
      else this.#list.insertBefore(item, next);
    }
  }

  /** @param {Person} person */
  #row(person) {
    const row = this.#rows.get(person.id) ?? this.#add(person);
    row.item.hidden = !isFound(person.name, this.#search.value);
    const states = statesOf(person);
    const shown = JSON.stringify(states);
    if (row.shown === shown) return row;
    row.shown = shown;
    row.states.replaceChildren(...states.map(mark));
    return row;
  }

  /** @param {Person} person */
  #add({ id, name, isOwn }) {
    const states = make("span", { class: "person-states" });
    const you = isOwn ? [" ", make("span", { class: "person-you", text: words.you })] : [];
    const item = make(
      "li",
      { class: "person", attributes: { "data-person": id } },
      make("span", { class: "person-who" }, make("bdi", { class: "person-name", text: name }), ...you),
      states,
      ...this.#rowActions({ attendeeId: id, displayName: name, isOwn }),
    );
    const row = { item, states, shown: "" };
    this.#rows.set(id, row);
    return row;
  }
}

/** @typedef {{ icon: string, text: string, label: string }} Mark */

/**
 * @param {Person} person
 * @returns {Mark[]}
 */
function statesOf({ hand, isMuted, speaks, shares, hasCamera }) {
  return [
    ...(hand ? [{ icon: "hand", text: `${hand}`, label: words.hand(hand) }] : []),
    ...(shares ? [{ icon: "screen", text: "", label: words.shares }] : []),
    ...(hasCamera ? [{ icon: "camera", text: "", label: words.hasCamera }] : []),
    ...(isMuted ? [{ icon: "mic-off", text: "", label: words.muted }] : []),
    ...(speaks ? [{ icon: "sound", text: "", label: words.speaks }] : []),
  ];
}

/** @param {Mark} mark */
function mark({ icon: name, text, label }) {
  const inside = [icon(name), make("span", { text, attributes: { "aria-hidden": "true" } })];
  return make(
    "span",
    { class: `person-mark is-${name}`, attributes: { title: label } },
    ...inside,
    make("span", { class: "visually-hidden", text: `${label}.` }),
  );
}

/**
 * @param {HTMLElement} element
 * @param {string} text
 */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
