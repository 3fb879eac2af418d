/** Which devices were plugged in and out: a decision without a page. */

/** @typedef {import("../carillon/devices/media-device.js").MediaDevice} MediaDevice */

/** Names that browsers give to whatever device the system prefers. */
const ALIASES = new Set(["", "default", "communications"]);

export class NewDevices {
  /** @type {Set<string> | null} */
  #known = null;

  /**
   * Takes the list of now.
   * @param {readonly MediaDevice[]} list
   * @returns {MediaDevice[]} those that were not there before
   */
  take(list) {
    const named = list.filter(({ port }) => !ALIASES.has(port));
    const known = this.#known;
    // A first list, and the first with names after a permission, are news of the browser alone.
    const isFirst = !known?.size;
    this.#known = new Set(named.map(keyOf));
    return isFirst ? [] : named.filter((device) => !known.has(keyOf(device)));
  }
}

/** @param {MediaDevice} device */
const keyOf = ({ kind, port }) => `${kind} ${port}`;

/**
 * The devices to try after one was lost, best first.
 * @param {readonly MediaDevice[]} list of one kind
 * @param {string} lost its id
 */
export const nextAfter = (list, lost) => list.filter(({ port }) => port !== lost || port === "default");
