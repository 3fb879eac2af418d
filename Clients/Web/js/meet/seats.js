/**
 * Assigns places on the stage to attendees, with as few moves as possible. Callers pass the current
 * time to the methods.
 */
import { placesOf, smallOwnPlace } from "./stage-layout.js";

/** The shortest time between two exchanges of places, in milliseconds. */
export const EXCHANGE_MS = 5_000;

/**
 * @typedef {import("./stage-layout.js").Rect} Rect
 *
 * @typedef {object} Happening the attendees and the stage
 * @property {readonly string[]} people the local id first, then by arrival
 * @property {readonly string[]} speakers the loudest first
 * @property {string | null} pin the pinned attendee
 * @property {import("./stage-layout.js").Layout} layout
 * @property {import("./stage-layout.js").OwnPicture} ownPicture
 * @property {number} width the width of the stage
 * @property {number} height the height of the stage
 */

export class Seats {
  /** @type {string[]} */
  #order = [];
  /** @type {Map<string, number>} */
  #spokeAt = new Map();
  /** @type {string | null} */
  #main = null;
  /**
   * The attendee who had the large place when the places were last computed.
   * @type {string | null}
   */
  #large = null;
  #exchangedAt = -Infinity;

  /**
   * Returns the rectangle of each attendee's tile; `undefined` for a tile that is hidden.
   *
   * In the speaker layout, the new large tile and the former large tile exchange their places. All
   * other tiles keep their places.
   * @param {Happening} happening
   * @param {number} now the current time, in milliseconds
   * @returns {Map<string, Rect | undefined>}
   */
  places({ people, speakers, pin, layout, ownPicture, width, height }, now) {
    const [own = ""] = people;
    const isOwnApart = ownPicture !== "tile" && people.length > 1;
    const pinned = isOwnApart && pin === own ? null : pin;
    const main = layout === "speaker" ? this.main(people, speakers, pinned, now) : null;
    const count = people.length - (isOwnApart ? 1 : 0);
    const { rects, capacity } = placesOf({ width, height, count, layout, hasMain: main !== null });
    const inSight = capacity + (isOwnApart ? 1 : 0) - (main === null ? 0 : 1);
    const others = this.seat(people, speakers, inSight, now, main).filter((id) => id !== main && !(isOwnApart && id === own));
    const shown = main === null ? others : [main, ...others];
    /** @type {Map<string, Rect | undefined>} */
    const places = new Map(shown.map((id, at) => [id, rects[at]]));
    if (isOwnApart) places.set(own, ownPicture === "small" ? smallOwnPlace(width, height) : undefined);
    return places;
  }

  /**
   * Returns the order of places: the local attendee first, then others by arrival. A speaker out of
   * sight swaps places with the attendee who has been silent longest. Such a swap happens at most
   * once per 5 s.
   * @param {readonly string[]} people the local id first, then by arrival
   * @param {readonly string[]} speakers the loudest first
   * @param {number} capacity the number of places in sight, without the large place
   * @param {number} now the current time, in milliseconds
   * @param {string | null} [main] the attendee who has the large place
   * @returns {readonly string[]}
   */
  seat(people, speakers, capacity, now, main = null) {
    const here = new Set(people);
    const isNewGrid = main === null && this.#large !== null;
    const known = new Set(isNewGrid ? [] : this.#order.filter((id) => here.has(id)));
    this.#order = [...known, ...people.filter((id) => !known.has(id))];
    for (const id of this.#spokeAt.keys()) if (!here.has(id)) this.#spokeAt.delete(id);
    for (const id of speakers) if (here.has(id)) this.#spokeAt.set(id, now);
    this.#enlarge(main, people[0] ?? "");
    if (now - this.#exchangedAt >= EXCHANGE_MS) this.#exchange(speakers, capacity, now, main);
    return this.#order;
  }

  /**
   * Returns the attendee who has the large place: the pinned attendee or a speaker. A speaker keeps
   * the large place for at least 5 s.
   * @param {readonly string[]} people
   * @param {readonly string[]} speakers
   * @param {string | null} pin
   * @param {number} now
   * @returns {string | null}
   */
  main(people, speakers, pin, now) {
    if (pin && people.includes(pin)) return pin;
    const others = people.slice(1);
    const isHere = this.#main !== null && others.includes(this.#main);
    const next = speakers.find((id) => others.includes(id)) ?? (isHere ? this.#main : others[0]) ?? null;
    if (next === this.#main || (isHere && now - this.#exchangedAt < EXCHANGE_MS)) return this.#main;
    if (isHere) this.#exchangedAt = now;
    return (this.#main = next);
  }

  /**
   * Gives the large place to an attendee. In the order, this attendee and the former owner of the
   * large place exchange their places, so the others stay.
   * @param {string | null} main
   * @param {string} own the local attendee, whose small place is always the first
   */
  #enlarge(main, own) {
    const former = this.#large;
    this.#large = main;
    if (main === null || former === null || former === main || !this.#order.includes(former)) return;
    this.#swap(main, former);
    const [first = own] = this.#order.filter((id) => id !== main);
    if (main !== own && first !== own) this.#swap(first, own);
  }

  /**
   * @param {readonly string[]} speakers
   * @param {number} capacity
   * @param {number} now
   * @param {string | null} main
   */
  #exchange(speakers, capacity, now, main) {
    if (capacity < 2) return;
    const small = this.#order.filter((id) => id !== main);
    const from = small.find((id, at) => at >= capacity && speakers.includes(id));
    // The local attendee's place never changes.
    const [next, ...seen] = small.slice(1, capacity);
    if (from === undefined || next === undefined) return;
    const silence = (/** @type {string} */ id) => this.#spokeAt.get(id) ?? -Infinity;
    const to = seen.reduce((best, id) => (silence(id) < silence(best) ? id : best), next);
    if (silence(to) === now) return;
    this.#swap(from, to);
    this.#exchangedAt = now;
  }

  /**
   * @param {string} one
   * @param {string} other
   */
  #swap(one, other) {
    this.#order = this.#order.map((id) => (id === one ? other : id === other ? one : id));
  }
}
