import { byId, make } from "../elements.js";
import { keepDevice, keptDevice, labelOf } from "./device-choice.js";
import { RefusalView } from "./refusal-view.js";
import { words } from "./words/devices.js";

/**
 * @typedef {import("../carillon/carillon.js").DeviceController} DeviceController
 * @typedef {import("../carillon/devices/media-device.js").MediaDevice} MediaDevice
 * @typedef {import("../carillon/meeting/audio-video.js").AudioVideo} AudioVideo
 */

/** The panel to choose a camera and preview it, in the lobby's form and in a dialog of the room. */
export class CameraPanel {
  /**
   * The session that sends the camera's video; `null` in the lobby.
   * @type {AudioVideo | null}
   */
  #session = null;
  #devices;
  /** @type {MediaDevice[]} */
  #list = [];
  #view = byId("camera-panel", HTMLElement);
  #select = byId("camera-device", HTMLSelectElement);
  #preview = byId("camera-preview", HTMLVideoElement);
  #refusal = new RefusalView(byId("camera-problem", HTMLElement), () => this.#needsAttention());

  /** @param {DeviceController} devices */
  constructor(devices) {
    this.#devices = devices;
    devices.addDeviceChangeObserver({
      videoDeviceDidChange: () => void this.refresh(),
      videoInputDidChange: (/** @type {MediaStreamTrack | null} */ track) => this.#show(track),
      videoInputDidEnd: () => void this.#ended(),
    });
    this.#select.addEventListener("change", () => void this.#choose());
    void this.refresh();
  }

  /** Moves the panel into the lobby's form, where it only previews the camera. */
  showInLobby() {
    this.#session = null;
    byId("camera-place", HTMLElement).append(this.#view);
  }

  /**
   * Moves the panel into the room's dialog, where others see the camera.
   * @param {AudioVideo} session
   */
  showInRoom(session) {
    this.#session = session;
    byId("camera-dialog-place", HTMLElement).append(this.#view);
  }

  /** Whether a camera is open. */
  get isOpen() {
    return this.#devices.videoTrack !== null;
  }

  /** The cameras that the browser lists, in the browser's order. */
  get cameras() {
    return this.#list;
  }

  /** The camera of an earlier visit, or `null` for the browser's choice. */
  get preferred() {
    return keptDevice("camera", this.#list);
  }

  /**
   * Sends the camera's video, or previews the video in the lobby. If no camera opens, shows the
   * reason.
   * @returns {Promise<boolean>} whether a camera is open
   */
  async start() {
    const { camera } = this.#devices;
    await this.refresh();
    // The user may have unplugged the camera that this page used last.
    const isThere = this.#list.some(({ port }) => port === camera.device?.port);
    if (!this.isOpen && !isThere) await camera.choose(this.preferred);
    const open = () => (this.#session ? this.#session.startLocalVideo() : camera.open());
    await this.#refusal.opening("camera", open, () => void this.start());
    await this.refresh();
    return this.isOpen;
  }

  /** Releases the camera. */
  stop() {
    if (this.#session) this.#session.stopLocalVideo();
    else this.#devices.camera.close();
  }

  /**
   * Opens this camera immediately.
   * @param {MediaDevice} device
   * @returns {Promise<boolean>} whether the panel shows the camera
   */
  async use(device) {
    const choose = () => this.#devices.camera.choose(device);
    const refusal = await this.#refusal.opening("camera", choose, () => void this.use(device));
    return refusal === null ? this.start() : this.refresh();
  }

  async #choose() {
    const device = this.#select.value === "" ? null : this.#list[Number(this.#select.value)] ?? null;
    keepDevice("camera", device);
    if (device) await this.use(device);
    else this.stop();
  }

  /**
   * Handles the loss of an unplugged camera in the lobby. In the room, js/meet/room-devices.js
   * opens the next camera instead.
   */
  async #ended() {
    await this.refresh();
    if (!this.#session) this.#refusal.say(words.lostCamera, words.useAnother, () => void this.start());
  }

  /**
   * Updates the list of cameras.
   * @returns {Promise<boolean>} whether a camera is open
   */
  async refresh() {
    this.#list = await this.#devices.camera.list();
    const options = this.#list.map((device, index) =>
      make("option", { text: labelOf(device), attributes: { value: `${index}` } }),
    );
    this.#select.replaceChildren(make("option", { text: words.noCamera, attributes: { value: "" } }), ...options);
    const track = this.#devices.videoTrack;
    if (!track) return false;
    const same = this.#list.findIndex(({ port }) => port === track.getSettings().deviceId);
    this.#select.value = `${Math.max(same, 0)}`;
    return true;
  }

  /** @param {MediaStreamTrack | null} track */
  #show(track) {
    this.#preview.hidden = track === null;
    this.#preview.srcObject = track && new MediaStream([track]);
    if (!track) this.#select.value = "";
  }

  #needsAttention() {
    const dialog = byId("sound-dialog", HTMLDialogElement);
    if (dialog.contains(this.#view) && !dialog.open) dialog.showModal();
  }
}
