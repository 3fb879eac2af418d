import { byId, make } from "../elements.js";
import { isWanted, keepDevice } from "./device-choice.js";
import { prefer, preference } from "./kept.js";
import { words } from "./words/devices.js";

/**
 * @typedef {"microphone" | "camera"} Feature
 *
 * @typedef {object} Parts
 * @property {import("../carillon/carillon.js").DeviceController} devices
 * @property {import("./sound-panel.js").SoundPanel} sound
 * @property {import("./camera-panel.js").CameraPanel} camera
 */

/**
 * The devices in the lobby. A device opens only if the user opens it, or if the user opened it in
 * an earlier visit and the permission of that visit is still valid. One button opens all wanted
 * devices with one permission prompt.
 */
export class GreenRoom {
  #parts;
  #open = make("button", { class: "button", attributes: { type: "button", id: "open-devices" } });
  #joinMuted = byId("join-muted", HTMLInputElement);

  /** @param {Parts} parts */
  constructor(parts) {
    this.#parts = parts;
    byId("sound-place", HTMLElement).before(this.#open);
    this.#open.addEventListener("click", () => void this.#openDevices(this.#wanted));
    const show = () => this.#show();
    parts.devices.addDeviceChangeObserver({ audioInputDidChange: show, videoInputDidChange: show });
    for (const id of ["microphone", "camera-device"]) byId(id, HTMLElement).addEventListener("change", show);
    this.#joinMuted.checked = preference("join-muted") !== "off";
    this.#joinMuted.addEventListener("change", () => prefer("join-muted", this.#joinMuted.checked ? "on" : "off"));
    this.#show();
  }

  /** Opens the devices of an earlier visit, if the browser opens them without a prompt. */
  async restore() {
    const kept = /** @type {Feature[]} */ (["microphone", "camera"]).filter((name) => isWanted(name));
    const granted = await Promise.all(kept.map(isGranted));
    if (!kept.length || !granted.every(Boolean)) return;
    await this.#openDevices({ microphone: kept.includes("microphone"), camera: kept.includes("camera") });
  }

  /** The devices that the button opens: the closed devices that the user did not decline. */
  get #wanted() {
    const { devices } = this.#parts;
    return {
      microphone: !devices.track && isWanted("microphone") !== false,
      camera: !devices.videoTrack && isWanted("camera") !== false,
    };
  }

  /** @param {Record<Feature, boolean>} wanted */
  async #openDevices({ microphone, camera }) {
    const { sound, camera: panel } = this.#parts;
    const hasCamera = camera && (await this.#hasCamera());
    if (microphone && hasCamera) await sound.openWith(panel);
    else if (microphone) await sound.openMicrophone();
    else if (camera) await panel.start();
    this.#keep();
    this.#show();
  }

  /** Stores the open devices for later visits. */
  #keep() {
    const { track, videoTrack } = this.#parts.devices;
    if (track) keepDevice("microphone", { port: track.getSettings().deviceId ?? "", label: track.label });
    if (videoTrack) keepDevice("camera", { port: videoTrack.getSettings().deviceId ?? "", label: videoTrack.label });
  }

  /**
   * Returns whether a camera may exist. Before the user grants permission, browsers list cameras
   * without names.
   */
  async #hasCamera() {
    await this.#parts.camera.refresh();
    return this.#parts.camera.cameras.length > 0 || !navigator.mediaDevices;
  }

  #show() {
    const { microphone, camera } = this.#wanted;
    const { track, videoTrack } = this.#parts.devices;
    const isHidden = (!microphone && !camera) || Boolean(track || videoTrack);
    // A button loses the focus when it disappears, so the list of microphones gets the focus.
    if (isHidden && this.#open === document.activeElement) byId("microphone", HTMLElement).focus();
    this.#open.hidden = isHidden;
    this.#open.textContent = microphone && camera ? words.useBoth : microphone ? words.useMicrophone : words.useCamera;
  }
}

/**
 * Returns whether the browser opens the device without a prompt.
 * @param {Feature} name
 */
async function isGranted(name) {
  try {
    const { state } = await navigator.permissions.query({ name: /** @type {any} */ (name) });
    return state === "granted";
  } catch {
    return false;
  }
}
