import { AudioDeviceError } from "../carillon/carillon.js";
import { byId, make } from "../elements.js";
import { levelOf, soundAdvice } from "./sound-problems.js";

/**
 * @typedef {import("../carillon/carillon.js").DeviceController} DeviceController
 * @typedef {import("../carillon/devices/media-device.js").MediaDevice} MediaDevice
 * @typedef {import("./sound-problems.js").SoundProblem} SoundProblem
 */

const METER_MS = 100;

/**
 * The speaker that the browser chooses by itself.
 * @type {MediaDevice}
 */
const SYSTEM_SPEAKER = { label: "", type: "other", kind: "audiooutput", port: "" };

/** Microphone, level and speaker: in the lobby's form, and in a dialog of the room. */
export class SoundPanel {
  #devices;
  /** @type {MediaDevice[]} */
  #list = [];
  #view = byId("sound", HTMLElement);
  #dialog = byId("sound-dialog", HTMLDialogElement);
  #microphone = byId("microphone", HTMLSelectElement);
  #speaker = byId("speaker", HTMLSelectElement);
  #level = byId("level", HTMLMeterElement);
  #problem = byId("sound-problem", HTMLElement);
  /** @type {AudioContext | null} */
  #context = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;

  /** @param {DeviceController} devices */
  constructor(devices) {
    this.#devices = devices;
    devices.bindAudioElement(byId("mix", HTMLAudioElement));
    devices.addDeviceChangeObserver({
      audioDeviceDidChange: () => void this.#refresh(),
      audioInputDidChange: (/** @type {MediaStreamTrack | null} */ track) => this.#measure(track),
      audioInputDidEnd: () => this.#tell("ended"),
      audioPlaybackDidFail: () => this.#tell("playback"),
    });
    this.#microphone.addEventListener("change", () => void this.#use(this.#chosen(this.#microphone)));
    this.#speaker.addEventListener("change", () => void this.#use(this.#chosen(this.#speaker) ?? SYSTEM_SPEAKER));
    byId("sound-toggle", HTMLElement).addEventListener("click", () => this.#dialog.showModal());
    byId("sound-close", HTMLElement).addEventListener("click", () => this.#dialog.close());
    void this.#refresh();
  }

  /** Stands in the lobby's form. */
  showInLobby() {
    this.#dialog.close();
    byId("sound-place", HTMLElement).append(this.#view);
  }

  /** Stands in the room's dialog. */
  showInRoom() {
    byId("sound-dialog-place", HTMLElement).append(this.#view);
  }

  /** Gives the microphone back. */
  async close() {
    this.#dialog.close();
    await this.#devices.chooseAudioDevice(null);
    await this.#refresh();
  }

  /**
   * Opens a microphone where none is open; says why where none opens.
   * @returns {Promise<boolean>} whether one is open
   */
  async openMicrophone() {
    return this.#devices.track !== null || this.#use(this.#firstMicrophone());
  }

  /** @returns {MediaDevice} */
  #firstMicrophone() {
    const any = /** @type {const} */ ({ label: "", type: "other", kind: "audioinput", port: "" });
    return this.#list.find(({ kind }) => kind === "audioinput") ?? any;
  }

  /**
   * @param {HTMLSelectElement} select whose first option stands for no device
   * @returns {MediaDevice | null}
   */
  #chosen(select) {
    return select.value === "" ? null : this.#list[Number(select.value)] ?? null;
  }

  /** @param {MediaDevice | null} device */
  async #use(device) {
    try {
      await this.#devices.chooseAudioDevice(device);
      this.#tell(null);
      return true;
    } catch (error) {
      if (!(error instanceof AudioDeviceError)) throw error;
      this.#tell(error.reason);
      return false;
    } finally {
      await this.#refresh();
    }
  }

  async #refresh() {
    this.#list = await this.#devices.listAudioDevices();
    this.#fill(this.#microphone, "audioinput", "No microphone");
    this.#fill(this.#speaker, "audiooutput", "The system's speaker");
    const hasSpeakers = this.#list.some(({ kind, port }) => kind === "audiooutput" && port);
    byId("speaker-field", HTMLElement).hidden = !hasSpeakers || !this.#devices.canChooseSpeaker;
  }

  /**
   * @param {HTMLSelectElement} select
   * @param {import("../carillon/devices/media-device.js").AudioDeviceKind} kind
   * @param {string} none
   */
  #fill(select, kind, none) {
    const active = this.#devices.getActiveAudioDevice(kind);
    const options = this.#list.flatMap((device, index) =>
      device.kind === kind ? [make("option", { text: device.label, attributes: { value: `${index}` } })] : [],
    );
    select.replaceChildren(make("option", { text: none, attributes: { value: "" } }), ...options);
    const same = this.#list.findIndex((device) => device.kind === kind && device.port === active?.port);
    const first = this.#list.findIndex((device) => device.kind === kind);
    const isMicrophone = kind === "audioinput";
    if (active && (same >= 0 || isMicrophone)) select.value = `${same < 0 ? first : same}`;
  }

  /** @param {SoundProblem | null} problem */
  #tell(problem) {
    this.#problem.hidden = problem === null;
    if (problem === null) return this.#problem.replaceChildren();
    const { sentence, button } = soundAdvice[problem];
    const act = make("button", { class: "button small", text: button, attributes: { type: "button" } });
    act.addEventListener("click", () => void this.#retry(problem));
    this.#problem.replaceChildren(make("p", { text: sentence }), act);
    if (this.#dialog.contains(this.#view) && !this.#dialog.open) this.#dialog.showModal();
  }

  /** @param {SoundProblem} problem */
  async #retry(problem) {
    this.#tell(null);
    if (problem === "playback") await this.#devices.startAudioPlayback();
    else if (problem !== "overrideOutputAudioPortFailed") await this.openMicrophone();
  }

  /** @param {MediaStreamTrack | null} track whose level is shown from now on */
  #measure(track) {
    clearInterval(this.#clock);
    void this.#context?.close();
    this.#context = null;
    this.#level.value = 0;
    if (!track) return;
    this.#context = new AudioContext();
    const analyser = new AnalyserNode(this.#context, { fftSize: 2048 });
    this.#context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    this.#clock = setInterval(() => {
      analyser.getFloatTimeDomainData(samples);
      this.#level.value = levelOf(samples);
    }, METER_MS);
  }
}
