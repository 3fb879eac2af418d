/** The devices that the user chose, stored for later visits. */
import { say } from "../elements.js";
import { prefer, preference } from "./kept.js";

/**
 * @typedef {import("../carillon/devices/media-device.js").MediaDevice} MediaDevice
 * @typedef {"microphone" | "speaker" | "camera"} DeviceName
 */

const NONE = "none";

/**
 * @param {DeviceName} name
 * @param {Pick<MediaDevice, "port" | "label"> | null} device `null` for none
 */
export const keepDevice = (name, device) =>
  prefer(name, device ? JSON.stringify({ port: device.port, label: device.label }) : NONE);

/**
 * Returns whether the user wants a device of this kind; `null` if the user has not chosen yet.
 * @param {DeviceName} name
 * @returns {boolean | null}
 */
export function isWanted(name) {
  const kept = preference(name);
  return kept === "" ? null : kept !== NONE;
}

/**
 * Returns the device of an earlier choice, or `null` if the device is absent. Browsers may change
 * ids, so the function also compares labels.
 * @param {readonly MediaDevice[]} list the devices of one kind
 * @param {string} kept
 * @returns {MediaDevice | null}
 */
export function sameDevice(list, kept) {
  const { port, label } = parsed(kept);
  return list.find((each) => port && each.port === port) ?? list.find((each) => label && each.label === label) ?? null;
}

/**
 * @param {DeviceName} name
 * @param {readonly MediaDevice[]} list
 */
export const keptDevice = (name, list) => sameDevice(list, preference(name));

/**
 * @param {string} kept
 * @returns {{ port?: string, label?: string }}
 */
function parsed(kept) {
  try {
    return JSON.parse(kept) ?? {};
  } catch {
    return {};
  }
}

/**
 * Returns a device's label in the page's language. The library makes English labels for devices that the browser
 * does not name.
 * @param {{ label: string }} device
 */
export function labelOf({ label }) {
  const [, kind, number = ""] = /^(Microphone|Speaker|Camera) (\d+)$/.exec(label) ?? [];
  if (kind === "Microphone") return say("Microphone {number}", { number });
  if (kind === "Speaker") return say("Speaker {number}", { number });
  return kind ? say("Camera {number}", { number }) : label;
}
