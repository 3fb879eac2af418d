import { byId, make } from "../elements.js";
import { keepDevice, keptDevice, labelOf } from "./device-choice.js";
import { RefusalView } from "./refusal-view.js";
import { words } from "./words/devices.js";

/**
 * @typedef {import("../carillon/carillon.js").DeviceController} DeviceController
 * @typedef {import("../carillon/devices/media-device.js").MediaDevice} MediaDevice
 */

/**
 * The system's default speaker.
 * @type {MediaDevice}
 */
export const SYSTEM_SPEAKER = { label: "", type: "other", kind: "audiooutput", port: "" };

/** The panel for microphone, level and speaker, in the lobby's form and in a dialog of the room. */
export class SoundPanel {
  #devices;
  /** @type {MediaDevice[]} */
  #list = [];
  #view = byId("sound", HTMLElement);
  #dialog = byId("sound-dialog", HTMLDialogElement);
  #microphone = byId("microphone", HTMLSelectElement);
  #speaker = byId("speaker", HTMLSelectElement);
  #test = make("button", { class: "button small", text: words.testSound, attributes: { type: "button" } });
  #refusal = new RefusalView(byId("sound-problem", HTMLElement), () => this.#needsAttention());
  /** @type {Promise<import("./meter.js").Meter> | null} */
  #meter = null;
  /**
   * Called with each level of the microphone, from 0 to 1, even while the user is muted.
   * @type {(level: number) => void}
   */
  heard = () => undefined;

  /** @param {DeviceController} devices */
  constructor(devices) {
    this.#devices = devices;
    devices.bindAudioElement(byId("mix", HTMLAudioElement));
    devices.addDeviceChangeObserver({
      audioDeviceDidChange: () => void this.refresh(),
      audioInputDidChange: (/** @type {MediaStreamTrack | null} */ track) => void this.#measure(track),
      audioInputDidEnd: () => void this.#ended(),
    });
    this.#microphone.addEventListener("change", () => void this.#choose(this.#chosen(this.#microphone)));
    this.#speaker.addEventListener("change", () => void this.#chooseSpeaker(this.#chosen(this.#speaker)));
    this.#speaker.after(this.#test);
    this.#test.addEventListener("click", () => void this.#testSpeaker());
    byId("sound-toggle", HTMLElement).addEventListener("click", () => this.#dialog.showModal());
    byId("sound-close", HTMLElement).addEventListener("click", () => this.#dialog.close());
    void this.#start();
  }

  /** @param {MediaStreamTrack | null} track */
  async #measure(track) {
    if (!track && !this.#meter) return;
    this.#meter ??= this.#makeMeter();
    const meter = await this.#meter;
    // While the meter loaded, another microphone may have replaced the microphone of this track.
    if (track === this.#devices.track) meter.measure(track);
  }

  /** Loads the meter with the first microphone: most listeners open no microphone. */
  async #makeMeter() {
    const { Meter } = await import("./meter.js");
    const level = byId("level", HTMLMeterElement);
    return new Meter((value) => {
      level.value = value;
      this.heard(value);
    });
  }

  /** Moves the panel into the lobby's form. */
  showInLobby() {
    this.#dialog.close();
    byId("sound-place", HTMLElement).append(this.#view);
  }

  /** Moves the panel into the room's dialog. */
  showInRoom() {
    byId("sound-dialog-place", HTMLElement).append(this.#view);
  }

  /** Releases the microphone. */
  async close() {
    this.#dialog.close();
    await this.#devices.chooseAudioDevice(null);
    await this.refresh();
  }

  /** The microphones that the browser lists, in the browser's order. */
  get microphones() {
    return this.#list.filter(({ kind }) => kind === "audioinput");
  }

  /**
   * Opens a microphone, unless a microphone is already open. If no microphone opens, shows the
   * reason.
   * @returns {Promise<boolean>} whether a microphone is open
   */
  async openMicrophone() {
    if (this.#devices.track) return true;
    await this.refresh();
    return this.use(this.#preferred());
  }

  /** @returns {MediaDevice} */
  #preferred() {
    const any = /** @type {const} */ ({ label: "", type: "other", kind: "audioinput", port: "" });
    return keptDevice("microphone", this.microphones) ?? this.microphones[0] ?? any;
  }

  /**
   * Opens a microphone and a camera with one permission prompt.
   * @param {import("./camera-panel.js").CameraPanel} camera
   */
  async openWith(camera) {
    await this.refresh();
    const microphone = keptDevice("microphone", this.microphones) ?? this.microphones[0] ?? null;
    const open = () => this.#devices.openTogether(microphone, camera.preferred);
    const refusal = await this.#refusal.opening("microphone and camera", open, () => void this.openWith(camera));
    // Perhaps only one of the two devices failed, so try each device separately.
    if (refusal === "busy" || refusal === "missing") {
      this.#refusal.clear();
      await this.openMicrophone();
      await camera.start();
    }
    await Promise.all([this.refresh(), camera.refresh()]);
  }

  /**
   * Selects a microphone, or no microphone. If the microphone does not open, shows the reason.
   * @param {MediaDevice | null} device
   * @returns {Promise<boolean>} whether a microphone is open
   */
  async use(device) {
    const open = () => this.#devices.chooseAudioDevice(device);
    const refusal = await this.#refusal.opening("microphone", open, () => void this.#again(device));
    await this.refresh();
    return refusal === null && device !== null;
  }

  /** Selects the speaker of an earlier visit, if this speaker is connected. */
  async #start() {
    await this.refresh();
    const speaker = keptDevice("speaker", this.#speakers);
    if (speaker && this.#devices.canChooseSpeaker) await this.#chooseSpeaker(speaker);
  }

  get #speakers() {
    return this.#list.filter(({ kind }) => kind === "audiooutput");
  }

  /** @param {MediaDevice | null} device */
  async #choose(device) {
    keepDevice("microphone", device);
    await this.use(device);
  }

  /** @param {MediaDevice | null} device */
  async #again(device) {
    await this.refresh();
    await (device?.port ? this.use(device) : this.openMicrophone());
  }

  /** @param {MediaDevice | null} device */
  async #chooseSpeaker(device) {
    try {
      await this.#devices.chooseAudioDevice(device ?? SYSTEM_SPEAKER);
      keepDevice("speaker", device);
      this.#refusal.clear();
    } catch {
      this.#refusal.say(words.noSpeaker, words.close);
    } finally {
      await this.refresh();
    }
  }

  /**
   * @param {HTMLSelectElement} select a list whose first option means no device
   * @returns {MediaDevice | null}
   */
  #chosen(select) {
    return select.value === "" ? null : this.#list[Number(select.value)] ?? null;
  }

  async #testSpeaker() {
    this.#test.disabled = true;
    try {
      const { playTestSound } = await import("./test-sound.js");
      await playTestSound(this.#devices.getActiveAudioDevice("audiooutput")?.port ?? "");
    } catch {
      this.#refusal.say(words.noSpeaker, words.close);
    } finally {
      this.#test.disabled = false;
    }
  }

  /**
   * Handles the loss of an unplugged microphone in the lobby. In the room, js/meet/room-devices.js
   * opens the next microphone instead.
   */
  async #ended() {
    await this.refresh();
    if (this.#isInRoom) return;
    this.#refusal.say(words.lostMicrophone, words.useAnother, () => void this.openMicrophone());
  }

  get #isInRoom() {
    return this.#dialog.contains(this.#view);
  }

  /** Updates the lists of devices. */
  async refresh() {
    this.#list = await this.#devices.listAudioDevices();
    this.#fill(this.#microphone, "audioinput", words.noMicrophone);
    this.#fill(this.#speaker, "audiooutput", words.systemSpeaker);
    // If the browser offers no choice of speakers, the field still offers the test sound.
    const hasSpeakers = this.#speakers.some(({ port }) => port) && this.#devices.canChooseSpeaker;
    this.#speaker.disabled = !hasSpeakers;
    byId("speaker-field", HTMLElement).hidden = false;
  }

  /**
   * @param {HTMLSelectElement} select
   * @param {import("../carillon/devices/media-device.js").AudioDeviceKind} kind
   * @param {string} none
   */
  #fill(select, kind, none) {
    const active = this.#devices.getActiveAudioDevice(kind);
    const options = this.#list.flatMap((device, index) =>
      device.kind === kind ? [make("option", { text: labelOf(device), attributes: { value: `${index}` } })] : [],
    );
    select.replaceChildren(make("option", { text: none, attributes: { value: "" } }), ...options);
    const isMicrophone = kind === "audioinput";
    // If the browser chose the microphone, the open track contains the device id.
    const port = active?.port || (isMicrophone ? this.#devices.track?.getSettings().deviceId : undefined);
    const same = this.#list.findIndex((device) => device.kind === kind && device.port === port);
    const first = this.#list.findIndex((device) => device.kind === kind);
    if (active && (same >= 0 || isMicrophone)) select.value = `${same < 0 ? first : same}`;
  }

  #needsAttention() {
    if (this.#isInRoom && !this.#dialog.open) this.#dialog.showModal();
  }
}
