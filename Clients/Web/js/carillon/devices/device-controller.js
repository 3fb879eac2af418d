/**
 * The microphone, the camera and the speaker of a browser, and the playback of the mix. Devices
 * stay open when connections and sessions end.
 */
import { Observers } from "../meeting/observers.js";
import { Camera, pictureOf } from "./camera.js";
import { InputTrack } from "./input-track.js";
import { audioDevicesOf, AudioDeviceError, deviceErrorOf } from "./media-device.js";

/**
 * @typedef {import("./media-device.js").MediaDevice} MediaDevice
 * @typedef {import("./media-device.js").AudioDeviceKind} AudioDeviceKind
 * @typedef {HTMLMediaElement & { setSinkId?: (id: string) => Promise<void> }} Player
 *
 * @typedef {object} Browser
 * @property {Pick<MediaDevices, "enumerateDevices" | "getUserMedia" | "addEventListener"> |
 *   undefined} media absent unless the page comes over HTTPS or from localhost
 * @property {() => Player} makePlayer
 */

/** @type {MediaDevice} */
const ANY_MICROPHONE = Object.freeze({ label: "", type: "other", kind: "audioinput", port: "" });

/** @returns {Browser} */
const thisBrowser = () => ({
  media: globalThis.navigator?.mediaDevices,
  makePlayer: () => new Audio(),
});

/**
 * Opens the chosen microphone and camera, and plays the mix on the chosen speaker.
 *
 * Observers implement any of these callbacks:
 * - `audioDeviceDidChange(devices)`: the user connected or disconnected a microphone or a speaker
 * - `videoDeviceDidChange(devices)`: called together with `audioDeviceDidChange`, with the list of
 *   cameras
 * - `audioInputDidChange(track)`: the microphone changed; `null` for none
 * - `audioInputDidEnd()`: the user unplugged the current microphone, or revoked the permission
 * - `audioPlaybackDidFail(error)`: the browser blocks playback until the user interacts with the
 *   page
 * - `videoInputDidChange(track)`: the camera opened, closed or changed
 * - `videoInputDidEnd()`: the user unplugged the current camera, or revoked the permission
 */
export class DeviceController {
  #browser;
  #observers = new Observers();
  #input = new InputTrack({
    changed: (track) => {
      if (track) track.enabled = !this.#isMuted;
      this.#observers.tell("audioInputDidChange", track);
    },
    ended: () => {
      this.#microphone = null;
      this.#observers.tell("audioInputDidEnd");
    },
  });
  /** @type {MediaDevice | null} */
  #microphone = null;
  /** @type {MediaDevice | null} */
  #speaker = null;
  /** @type {Player | null} */
  #player = null;
  /** @type {MediaStream | null} */
  #mix = null;
  #isMuted = false;
  #isVoiceFocusEnabled = false;

  /** @param {Browser} [browser] opens the devices */
  constructor(browser = thisBrowser()) {
    this.#browser = browser;
    this.camera = new Camera(browser.media, this.#observers);
    browser.media?.addEventListener("devicechange", () => void this.#devicesChanged());
  }

  /** The microphone's track, or `null` without a microphone. */
  get track() {
    return this.#input.current;
  }

  /** The camera's track, or `null` while the camera is not open. */
  get videoTrack() {
    return this.camera.track;
  }

  /** Whether the noise suppression of the browser is on. */
  get isVoiceFocusEnabled() {
    return this.#isVoiceFocusEnabled;
  }

  /**
   * Lists microphones, then speakers. Labels are generic until the user grants permission.
   * @returns {Promise<MediaDevice[]>} empty if the browser lists no devices
   */
  async listAudioDevices() {
    return audioDevicesOf((await this.#browser.media?.enumerateDevices()) ?? []);
  }

  /**
   * Selects a device for this connection and later connections. If calls overlap, the last call
   * wins.
   * @param {MediaDevice | MediaStreamTrack | null} device a speaker; a microphone; a track of the
   *   application, which the application itself must stop; or `null` for no microphone
   * @returns {Promise<void>}
   * @throws {AudioDeviceError} the current device stays in use
   */
  async chooseAudioDevice(device) {
    if (device && "port" in device && device.kind === "audiooutput") return this.#chooseSpeaker(device);
    if (device && "port" in device) {
      return this.#input.open(() => this.#open(device), () => (this.#microphone = device));
    }
    this.#microphone = null;
    this.#input.use(device);
  }

  /**
   * Opens a microphone and a camera with a single permission prompt.
   * @param {MediaDevice | null} microphone `null` for the browser's choice
   * @param {MediaDevice | null} camera `null` for the browser's choice
   * @returns {Promise<void>}
   * @throws {AudioDeviceError} neither device opens; the current devices stay in use
   */
  async openTogether(microphone, camera) {
    const { media } = this.#browser;
    if (!media) throw new AudioDeviceError("noAudioDevices");
    const both = media.getUserMedia({ audio: this.#wanted(microphone?.port), video: pictureOf(camera) });
    const track = async () => (await both).getAudioTracks()[0] ?? null;
    try {
      await Promise.all([
        this.#input.open(track, () => (this.#microphone = microphone ?? ANY_MICROPHONE)),
        this.camera.openFrom(both, camera),
      ]);
    } catch (error) {
      throw deviceErrorOf(error, "audioinput");
    }
  }

  /**
   * Returns the current device of a kind.
   * @param {AudioDeviceKind} [kind]
   * @returns {MediaDevice | null} `null` if there is none, or if the browser chose the speaker
   */
  getActiveAudioDevice(kind = "audioinput") {
    return kind === "audioinput" ? this.#microphone : this.#speaker;
  }

  /** @param {Record<string, any>} observer */
  addDeviceChangeObserver(observer) {
    this.#observers.add(observer);
  }

  /** @param {Record<string, any>} observer */
  removeDeviceChangeObserver(observer) {
    this.#observers.remove(observer);
  }

  /** Whether this browser lets a page select the speaker. */
  get canChooseSpeaker() {
    return Boolean(this.#element().setSinkId);
  }

  /**
   * Plays the mix in an element of the page, and not in an invisible element.
   * @param {HTMLMediaElement} element
   */
  bindAudioElement(element) {
    this.#replacePlayer(element);
  }

  /**
   * Stops the playback in the bound element. A running session then plays the mix in an invisible
   * element.
   */
  unbindAudioElement() {
    this.#replacePlayer(null);
  }

  /**
   * Starts the playback that the browser blocked. Call this method in the handler of a user's
   * click.
   */
  startAudioPlayback() {
    return this.#play();
  }

  /**
   * Plays the sound that a peer connection receives.
   * @param {MediaStream | null} mix
   */
  play(mix) {
    this.#mix = mix;
    return this.#play();
  }

  /**
   * Mutes or unmutes the microphone without releasing the device.
   * @param {boolean} isMuted
   */
  mute(isMuted) {
    this.#isMuted = isMuted;
    if (this.track) this.track.enabled = !isMuted;
  }

  /**
   * Turns the browser's noise suppression on or off. To do so, this method opens the microphone
   * again.
   * @param {boolean} isEnabled
   * @returns {Promise<boolean>} whether the setting took effect
   */
  async setVoiceFocusEnabled(isEnabled) {
    if (isEnabled === this.#isVoiceFocusEnabled) return true;
    this.#isVoiceFocusEnabled = isEnabled;
    try {
      if (this.#microphone) await this.chooseAudioDevice(this.#microphone);
      return true;
    } catch {
      this.#isVoiceFocusEnabled = !isEnabled;
      return false;
    }
  }

  /** @param {MediaDevice} device */
  async #open({ port }) {
    const { media } = this.#browser;
    if (!media) throw new AudioDeviceError("noAudioDevices");
    try {
      return (await media.getUserMedia({ audio: this.#wanted(port) })).getAudioTracks()[0] ?? null;
    } catch (error) {
      throw deviceErrorOf(error, "audioinput");
    }
  }

  /**
   * Returns the constraints to request from a microphone.
   * @param {string} [port]
   * @returns {MediaTrackConstraints}
   */
  #wanted(port) {
    const sound = { echoCancellation: true, autoGainControl: true, noiseSuppression: this.#isVoiceFocusEnabled };
    return { ...sound, ...(port && { deviceId: { exact: port } }) };
  }

  /** @param {MediaDevice} device */
  async #chooseSpeaker(device) {
    const element = this.#element();
    if (!element.setSinkId) throw new AudioDeviceError("overrideOutputAudioPortFailed");
    try {
      await element.setSinkId(device.port);
    } catch (error) {
      throw deviceErrorOf(error, "audiooutput");
    }
    this.#speaker = device;
  }

  #element() {
    return (this.#player ??= this.#browser.makePlayer());
  }

  /** @param {Player | null} player */
  #replacePlayer(player) {
    if (this.#player) this.#player.srcObject = null;
    this.#player = player;
    void this.#play();
  }

  async #play() {
    if (!this.#mix && !this.#player) return;
    const element = this.#element();
    if (element.srcObject !== this.#mix) element.srcObject = this.#mix;
    if (!this.#mix) return;
    try {
      if (this.#speaker) await element.setSinkId?.(this.#speaker.port);
      await element.play();
    } catch (error) {
      // The browser did not block the playback. Before the playback began, the application changed
      // the mix or the element.
      if (error instanceof Error && error.name === "AbortError") return;
      this.#observers.tell("audioPlaybackDidFail", error);
    }
  }

  async #devicesChanged() {
    this.#observers.tell("audioDeviceDidChange", await this.listAudioDevices());
    this.#observers.tell("videoDeviceDidChange", await this.camera.list());
  }
}
