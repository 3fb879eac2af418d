/** Detects newly connected devices. This module does not access the page. */

/** @typedef {import("../carillon/devices/media-device.js").MediaDevice} MediaDevice */

/** The ids that browsers use for the system's preferred device. */
const ALIASES = new Set(["", "default", "communications"]);

export class NewDevices {
  /** @type {Set<string> | null} */
  #known = null;

  /**
   * Processes the current list of devices.
   * @param {readonly MediaDevice[]} list
   * @returns {MediaDevice[]} the devices that are not in the previous list
   */
  take(list) {
    const named = list.filter(({ port }) => !ALIASES.has(port));
    const known = this.#known;
    // The first list contains no new devices. After the user grants permission, the first list with
    // ids contains no new devices either.
    const isFirst = !known?.size;
    this.#known = new Set(named.map(keyOf));
    return isFirst ? [] : named.filter((device) => !known.has(keyOf(device)));
  }
}

/** @param {MediaDevice} device */
const keyOf = ({ kind, port }) => `${kind} ${port}`;

/**
 * Returns the devices to open after the loss of a device, best first.
 * @param {readonly MediaDevice[]} list the devices of one kind
 * @param {string} lost the id of the lost device
 */
export const nextAfter = (list, lost) => list.filter(({ port }) => port !== lost || port === "default");
