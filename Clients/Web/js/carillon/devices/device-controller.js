/** Microphone, speaker, playback and camera of a browser. They outlive connections and sessions. */
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
 * @property {Pick<MediaDevices, "enumerateDevices" | "getUserMedia" | "addEventListener"> | undefined} media
 *   absent where the page is not served over HTTPS or from this machine
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
 * Opens the chosen microphone, and plays the mix on the chosen speaker.
 *
 * Its observers have those of the callbacks that they want:
 * - `audioDeviceDidChange(devices)`: a device was plugged in or out
 * - `videoDeviceDidChange(devices)`: the same change, with the cameras
 * - `audioInputDidChange(track)`: another microphone, or `null` for none
 * - `audioInputDidEnd()`: the microphone in use was unplugged or its permission withdrawn
 * - `audioPlaybackDidFail(error)`: the browser plays nothing before the user touches the page
 * - `videoInputDidChange(track)`: the camera opened, closed, or is another one
 * - `videoInputDidEnd()`: the camera in use was unplugged or its permission withdrawn
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

  /** @param {Browser} [browser] what it opens devices with */
  constructor(browser = thisBrowser()) {
    this.#browser = browser;
    this.camera = new Camera(browser.media, this.#observers);
    browser.media?.addEventListener("devicechange", () => void this.#devicesChanged());
  }

  /** The microphone's track, or `null` without a microphone. */
  get track() {
    return this.#input.current;
  }

  /** The camera's track, or `null` while it is closed. */
  get videoTrack() {
    return this.camera.track;
  }

  /** Whether the noise suppression of the browser is on. */
  get isVoiceFocusEnabled() {
    return this.#isVoiceFocusEnabled;
  }

  /**
   * Lists microphones, then speakers. Labels are generic before the user gave permission.
   * @returns {Promise<MediaDevice[]>} empty where the browser shows no devices
   */
  async listAudioDevices() {
    return audioDevicesOf((await this.#browser.media?.enumerateDevices()) ?? []);
  }

  /**
   * Uses a device from now on, in this connection and in later ones. Of several calls the last counts.
   * @param {MediaDevice | MediaStreamTrack | null} device a speaker; a microphone; a track of the
   *   application's own, which stays the application's to stop; or `null` for no microphone
   * @returns {Promise<void>}
   * @throws {AudioDeviceError} the device in use stays
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
   * Opens a microphone and a camera, for which the browser asks the user once.
   * @param {MediaDevice | null} microphone `null` for the browser's choice
   * @param {MediaDevice | null} camera `null` for the browser's choice
   * @returns {Promise<void>}
   * @throws {AudioDeviceError} neither is opened; the devices in use stay
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
   * The device in use.
   * @param {AudioDeviceKind} [kind]
   * @returns {MediaDevice | null} `null` without one, and for the speaker that the browser chose
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

  /** Whether this browser lets a page choose the speaker. */
  get canChooseSpeaker() {
    return Boolean(this.#element().setSinkId);
  }

  /**
   * Plays the mix in an element of the page instead of an invisible one.
   * @param {HTMLMediaElement} element
   */
  bindAudioElement(element) {
    this.#replacePlayer(element);
  }

  /** Plays nothing in the element any more. A session that goes on plays in an invisible one. */
  unbindAudioElement() {
    this.#replacePlayer(null);
  }

  /** Plays after the browser refused to; called while the user presses a button. */
  startAudioPlayback() {
    return this.#play();
  }

  /**
   * Plays what a peer connection receives.
   * @param {MediaStream | null} mix
   */
  play(mix) {
    this.#mix = mix;
    return this.#play();
  }

  /**
   * Closes or opens the microphone without giving the device back.
   * @param {boolean} isMuted
   */
  mute(isMuted) {
    this.#isMuted = isMuted;
    if (this.track) this.track.enabled = !isMuted;
  }

  /**
   * Switches the noise suppression of the browser, which takes opening the microphone again.
   * @param {boolean} isEnabled
   * @returns {Promise<boolean>} whether it is as was asked
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
   * What a microphone is asked for.
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
      // Another mix or element took its place meanwhile; that is no refusal.
      if (error instanceof Error && error.name === "AbortError") return;
      this.#observers.tell("audioPlaybackDidFail", error);
    }
  }

  async #devicesChanged() {
    this.#observers.tell("audioDeviceDidChange", await this.listAudioDevices());
    this.#observers.tell("videoDeviceDidChange", await this.camera.list());
  }
}
