import { labelOf } from "./device-choice.js";
import { MutedSpeech } from "./muted-speech.js";
import { NewDevices, nextAfter } from "./new-devices.js";
import { Notices } from "./notices.js";
import { SYSTEM_SPEAKER } from "./sound-panel.js";
import { words as deviceWords } from "./words/devices.js";
import { words } from "./words/room-devices.js";

/**
 * @typedef {import("../carillon/devices/media-device.js").MediaDevice} MediaDevice
 *
 * @typedef {object} RoomParts
 * @property {import("../carillon/carillon.js").DeviceController} devices
 * @property {import("./sound-panel.js").SoundPanel} sound
 * @property {import("./camera-panel.js").CameraPanel} camera
 * @property {import("../carillon/meeting/audio-video.js").AudioVideo} session
 * @property {HTMLElement} view contains the notices
 * @property {(text: string) => void} say shows a text for a while and reads it out
 * @property {(text: string) => void} read reads out the text of a notice
 */

/**
 * Handles devices that the user connects or disconnects during a meeting. A notice offers a new
 * device. After the loss of a device, this object opens the next device, keeps the mute state, and
 * notifies the user.
 */
export class RoomDevices {
  #parts;
  #notices;
  #fresh = new NewDevices();
  #speech = new MutedSpeech();
  /** @type {MediaStreamTrack | null} */
  #microphone;
  /** @type {MediaStreamTrack | null} */
  #camera;
  #observer = {
    audioDeviceDidChange: (/** @type {MediaDevice[]} */ list) => void this.#changed(list),
    audioInputDidChange: (/** @type {MediaStreamTrack | null} */ track) => (this.#microphone = track ?? this.#microphone),
    audioInputDidEnd: () => void this.#microphoneLost(),
    audioPlaybackDidFail: () => this.playbackRefused(),
    videoInputDidChange: (/** @type {MediaStreamTrack | null} */ track) => (this.#camera = track ?? this.#camera),
    videoInputDidEnd: () => void this.#cameraLost(),
  };

  /** @param {RoomParts} parts */
  constructor(parts) {
    this.#parts = parts;
    this.#notices = new Notices(parts.view);
    this.#microphone = parts.devices.track;
    this.#camera = parts.devices.videoTrack;
    parts.devices.addDeviceChangeObserver(this.#observer);
    parts.sound.heard = (level) => this.#heard(level);
    void this.#lists().then((list) => this.#fresh.take(list));
  }

  /** Removes the notices and the observer. */
  close() {
    this.#notices.close();
    this.#parts.devices.removeDeviceChangeObserver(this.#observer);
    this.#parts.sound.heard = () => undefined;
  }

  async #lists() {
    const { devices } = this.#parts;
    return [...(await devices.listAudioDevices()), ...(await devices.camera.list())];
  }

  /** @param {MediaDevice[]} audio */
  async #changed(audio) {
    await this.#replaceSpeaker(audio);
    const fresh = this.#fresh.take(await this.#lists());
    for (const kinds of [["audioinput", "audiooutput"], ["videoinput"]]) {
      this.#offer(fresh.filter(({ kind }) => kinds.includes(kind)));
    }
  }

  /**
   * @param {MediaDevice[]} devices microphone, speaker and camera of one new device; one notice
   * offers all of these together
   */
  #offer(devices) {
    const [first] = devices;
    if (!first) return;
    const act = () => void this.#use(devices);
    const text = words.isNew(labelOf(first));
    this.#notices.show(`new ${first.kind}`, { text, button: words.useNew, act });
    this.#parts.read(text);
  }

  /** @param {MediaDevice[]} list */
  async #use(list) {
    const { devices, sound, camera } = this.#parts;
    for (const device of list) {
      if (device.kind === "audioinput") await sound.use(device);
      else if (device.kind === "videoinput") await camera.use(device);
      else if (devices.canChooseSpeaker) await devices.chooseAudioDevice(device).catch(() => undefined);
    }
  }

  /** @param {MediaDevice[]} audio */
  async #replaceSpeaker(audio) {
    const { devices, say } = this.#parts;
    const speaker = devices.getActiveAudioDevice("audiooutput");
    if (!speaker?.port || audio.some(({ kind, port }) => kind === "audiooutput" && port === speaker.port)) return;
    await devices.chooseAudioDevice(SYSTEM_SPEAKER);
    say(words.speakerFellBack);
  }

  async #microphoneLost() {
    const { devices, sound, say, read } = this.#parts;
    const lost = this.#microphone;
    const list = (await devices.listAudioDevices()).filter(({ kind }) => kind === "audioinput");
    for (const device of nextAfter(list, lost?.getSettings().deviceId ?? "")) {
      if (devices.track) return;
      if (!(await opens(devices.chooseAudioDevice(device)))) continue;
      await sound.refresh();
      return say(words.fellBack(lost?.label || words.microphone, labelOf(device)));
    }
    const act = () => void sound.openMicrophone();
    this.#notices.show("microphone", { text: deviceWords.lostMicrophone, button: deviceWords.lookAgain, act });
    read(deviceWords.lostMicrophone);
  }

  async #cameraLost() {
    const { devices, camera, session, say, read } = this.#parts;
    const lost = this.#camera;
    for (const device of nextAfter(await devices.camera.list(), lost?.getSettings().deviceId ?? "")) {
      if (devices.videoTrack) return;
      await devices.camera.choose(device);
      if (!(await opens(session.startLocalVideo()))) continue;
      await camera.refresh();
      return say(words.cameraFellBack(lost?.label || words.camera, labelOf(device)));
    }
    const act = () => void camera.start();
    this.#notices.show("camera", { text: deviceWords.lostCamera, button: deviceWords.lookAgain, act });
    read(deviceWords.lostCamera);
  }

  /** Offers to start the playback that the browser blocked. */
  playbackRefused() {
    const { devices, read } = this.#parts;
    const act = () => void devices.startAudioPlayback();
    this.#notices.show("playback", { text: deviceWords.playback, button: deviceWords.playSound, act, stays: true });
    read(deviceWords.playback);
  }

  /** @param {number} level */
  #heard(level) {
    const { session, say } = this.#parts;
    const isMuted = session.isLocalMuted && !session.isLocalMutedByOther;
    if (this.#speech.hear(level, isMuted, performance.now())) say(words.mutedSpeech);
  }
}

/**
 * Returns whether a device opens.
 * @param {Promise<unknown>} opening
 */
const opens = (opening) => opening.then(() => true, () => false);
