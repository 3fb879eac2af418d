import { VideoDeviceError } from "../carillon/carillon.js";
import { byId, make } from "../elements.js";

/**
 * @typedef {import("../carillon/carillon.js").DeviceController} DeviceController
 * @typedef {import("../carillon/meeting/audio-video.js").AudioVideo} AudioVideo
 */

/** What the page says of a camera that does not work. */
const advice = Object.freeze({
  videoPermissionError: "This page may not use your camera. Allow it in your browser's settings for this page.",
  noVideoDevices: "No camera was found. Plug one in.",
  videoInputFailed: "The camera does not open. Another program may be using it.",
  ended: "Your camera was unplugged, and nobody sees you.",
});

/** The choice of a camera and its preview: in the lobby's form, and in a dialog of the room. */
export class CameraPanel {
  /**
   * The session that the camera is for, once there is one.
   * @type {AudioVideo | null}
   */
  #session = null;
  #devices;
  /** @type {import("../carillon/devices/media-device.js").MediaDevice[]} */
  #list = [];
  #view = byId("camera-panel", HTMLElement);
  #select = byId("camera-device", HTMLSelectElement);
  #preview = byId("camera-preview", HTMLVideoElement);
  #problem = byId("camera-problem", HTMLElement);

  /** @param {DeviceController} devices */
  constructor(devices) {
    this.#devices = devices;
    devices.addDeviceChangeObserver({
      videoDeviceDidChange: () => void this.#refresh(),
      videoInputDidChange: (/** @type {MediaStreamTrack | null} */ track) => this.#show(track),
      videoInputDidEnd: () => this.#tell("ended"),
    });
    this.#select.addEventListener("change", () => void this.#choose());
    void this.#refresh();
  }

  /** Stands in the lobby's form, where the camera is a preview. */
  showInLobby() {
    this.#session = null;
    byId("camera-place", HTMLElement).append(this.#view);
  }

  /**
   * Stands in the room's dialog, where the camera is what others see.
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

  /**
   * Shows the camera to others, or in the lobby to oneself; says why where none opens.
   * @returns {Promise<boolean>} whether it is shown
   */
  async start() {
    try {
      await (this.#session ? this.#session.startLocalVideo() : this.#devices.camera.open());
      this.#tell(null);
    } catch (error) {
      if (!(error instanceof VideoDeviceError)) throw error;
      this.#tell(error.reason);
    }
    await this.#refresh();
    return this.isOpen;
  }

  /** Gives the camera back. */
  stop() {
    if (this.#session) this.#session.stopLocalVideo();
    else this.#devices.camera.close();
  }

  async #choose() {
    if (this.#select.value === "") return this.stop();
    try {
      await this.#devices.camera.choose(this.#list[Number(this.#select.value)] ?? null);
    } catch (error) {
      if (!(error instanceof VideoDeviceError)) throw error;
      this.#tell(error.reason);
      return this.#refresh();
    }
    await this.start();
  }

  async #refresh() {
    this.#list = await this.#devices.camera.list();
    const options = this.#list.map(({ label }, index) =>
      make("option", { text: label, attributes: { value: `${index}` } }),
    );
    this.#select.replaceChildren(make("option", { text: "No camera", attributes: { value: "" } }), ...options);
    const track = this.#devices.videoTrack;
    if (!track) return;
    const same = this.#list.findIndex(({ port }) => port === track.getSettings().deviceId);
    this.#select.value = `${Math.max(same, 0)}`;
  }

  /** @param {MediaStreamTrack | null} track */
  #show(track) {
    this.#preview.hidden = track === null;
    this.#preview.srcObject = track && new MediaStream([track]);
    if (!track) this.#select.value = "";
  }

  /** @param {keyof typeof advice | null} problem */
  #tell(problem) {
    this.#problem.hidden = problem === null;
    this.#problem.textContent = problem === null ? "" : advice[problem];
    const dialog = byId("sound-dialog", HTMLDialogElement);
    if (problem && dialog.contains(this.#view) && !dialog.open) dialog.showModal();
  }
}
