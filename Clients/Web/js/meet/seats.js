/**
 * Assigns places on the stage to attendees, with as few moves as possible. Callers pass the current
 * time to the methods.
 */

/** The shortest time between two exchanges of places, in milliseconds. */
export const EXCHANGE_MS = 5_000;

export class Seats {
  /** @type {string[]} */
  #order = [];
  /** @type {Map<string, number>} */
  #spokeAt = new Map();
  /** @type {string | null} */
  #main = null;
  #exchangedAt = -Infinity;

  /**
   * Returns the order of places: the local attendee first, then others by arrival. A speaker out of
   * sight swaps places with the attendee who has been silent longest. Such a swap happens at most
   * once per 5 s.
   * @param {readonly string[]} people the local id first, then by arrival
   * @param {readonly string[]} speakers the loudest first
   * @param {number} capacity the number of places in sight
   * @param {number} now the current time, in milliseconds
   * @returns {readonly string[]}
   */
  seat(people, speakers, capacity, now) {
    const here = new Set(people);
    const known = new Set(this.#order);
    this.#order = [...this.#order.filter((id) => here.has(id)), ...people.filter((id) => !known.has(id))];
    for (const id of this.#spokeAt.keys()) if (!here.has(id)) this.#spokeAt.delete(id);
    for (const id of speakers) if (here.has(id)) this.#spokeAt.set(id, now);
    if (now - this.#exchangedAt >= EXCHANGE_MS) this.#exchange(speakers, capacity, now);
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
   * @param {readonly string[]} speakers
   * @param {number} capacity
   * @param {number} now
   */
  #exchange(speakers, capacity, now) {
    const from = this.#order.findIndex((id, at) => at >= capacity && speakers.includes(id));
    if (from < 0 || capacity < 2) return;
    // The local attendee's place never changes.
    const seen = Array.from({ length: capacity - 1 }, (_, at) => at + 1);
    const silence = (/** @type {number} */ at) => this.#spokeAt.get(this.#order[at] ?? "") ?? -Infinity;
    const to = seen.reduce((best, at) => (silence(at) < silence(best) ? at : best));
    if (silence(to) === now) return;
    [this.#order[to], this.#order[from]] = [this.#order[from] ?? "", this.#order[to] ?? ""];
    this.#exchangedAt = now;
  }
}
