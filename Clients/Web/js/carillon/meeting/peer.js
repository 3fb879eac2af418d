/** The peer connection of a session: sound both ways, offer and answer, and a watch on the path. */
import { audioCounts, audioMetrics, noCounts } from "./audio-metrics.js";

/** How long candidates are gathered, in milliseconds; what was found by then is offered. */
const GATHERS_WITHIN_MS = 5_000;

/**
 * @typedef {object} PeerEvents
 * @property {(sdp: string) => void} offered
 * @property {() => void} connected
 * @property {() => void} failed
 * @property {(broughtSomething: boolean) => void} second
 * @property {(metrics: import("./audio-metrics.js").AudioMetrics) => void} measured each second
 */

export class Peer {
  #connection;
  #isClosed = false;
  #received = 0;
  #counts = noCounts;
  #devices;
  #sender;
  /** Another microphone takes the place of the old one without a new offer. */
  #input = {
    audioInputDidChange: (/** @type {MediaStreamTrack | null} */ track) => void this.#send(track),
  };
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;

  /**
   * @param {import("../wire/codec.js").Decoded | null} turn relays of the server, if it has any
   * @param {import("../devices/device-controller.js").DeviceController} devices
   * @param {PeerEvents} events
   */
  constructor(turn, devices, events) {
    this.#devices = devices;
    this.events = events;
    const uris = turn?.["uris"] ?? [];
    /** @type {RTCConfiguration} */
    const configuration = { bundlePolicy: "max-bundle" };
    if (turn && uris.length) {
      const { username, password } = turn;
      configuration.iceServers = [{ urls: uris, username, credential: password }];
      configuration.iceTransportPolicy = "relay";
    }
    this.#connection = new RTCPeerConnection(configuration);
    this.#connection.onconnectionstatechange = () => this.#stateChanged();
    this.#connection.ontrack = ({ track }) => this.#hear(track);
    // Audio comes first and the camera second, in every offer: their numbers do not change.
    // Without a microphone nothing is sent, and one that is chosen later needs no new offer.
    const audio = this.#connection.addTransceiver(devices.track ?? "audio", { direction: "sendrecv" });
    this.#sender = audio.sender;
    preferRedundantAudio(audio);
    devices.addDeviceChangeObserver(this.#input);
    this.#connection.addTransceiver("video", { direction: "inactive" });
  }

  /** Makes the offer, with all candidates in it. */
  async offer() {
    try {
      await this.#connection.setLocalDescription(await this.#connection.createOffer());
      await this.#gather();
      const sdp = this.#connection.localDescription?.sdp;
      if (sdp && !this.#isClosed) this.events.offered(sdp);
    } catch {
      this.#fail();
    }
  }

  /** @param {string} sdp the server's answer */
  async accept(sdp) {
    try {
      await this.#connection.setRemoteDescription({ type: "answer", sdp });
    } catch {
      this.#fail();
    }
  }

  /** Ends it without another word to its owner. */
  close() {
    this.#isClosed = true;
    clearInterval(this.#clock);
    this.#devices.removeDeviceChangeObserver(this.#input);
    void this.#devices.play(null);
    this.#connection.close();
  }

  #fail() {
    if (!this.#isClosed) this.events.failed();
  }

  /** @param {MediaStreamTrack | null} track */
  async #send(track) {
    try {
      await this.#sender.replaceTrack(track);
    } catch {
      this.#fail();
    }
  }

  /** @param {MediaStreamTrack} track */
  #hear(track) {
    if (track.kind === "audio" && !this.#isClosed) void this.#devices.play(new MediaStream([track]));
  }

  /** Connected means that DTLS is done, too: from here on sound passes. */
  #stateChanged() {
    if (this.#isClosed) return;
    const state = this.#connection.connectionState;
    if (state === "failed") this.events.failed();
    if (state !== "connected") return;
    this.#clock ??= setInterval(() => this.#measure(), 1_000);
    this.events.connected();
  }

  async #gather() {
    const connection = this.#connection;
    if (connection.iceGatheringState === "complete") return;
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHERS_WITHIN_MS, undefined);
      connection.onicegatheringstatechange = () => {
        if (connection.iceGatheringState !== "complete") return;
        clearTimeout(timer);
        resolve(undefined);
      };
    });
  }

  async #measure() {
    const reports = [...(await this.#connection.getStats()).values()];
    if (this.#isClosed) return;
    const received = bytesAndChecks(reports);
    this.events.second(received > this.#received);
    this.#received = Math.max(received, this.#received);
    const counts = audioCounts(reports);
    this.events.measured(audioMetrics(this.#counts, counts));
    this.#counts = counts;
  }
}

/**
 * Has each packet bring a copy of the one before it (RFC 2198), where the browser can: then the
 * others hear what a lost packet held.
 * @param {RTCRtpTransceiver} audio
 */
function preferRedundantAudio(audio) {
  const codecs = RTCRtpReceiver.getCapabilities("audio")?.codecs ?? [];
  const isRedundant = (/** @type {{ mimeType: string }} */ { mimeType }) => mimeType.toLowerCase() === "audio/red";
  const redundant = codecs.filter(isRedundant);
  if (!redundant.length) return;
  audio.setCodecPreferences([...redundant, ...codecs.filter((codec) => !isRedundant(codec))]);
}

/**
 * A number that grows whenever anything came: bytes, and checks of the path.
 * @param {any[]} reports
 */
function bytesAndChecks(reports) {
  let received = 0;
  for (const report of reports) {
    if (report.type !== "candidate-pair") continue;
    received += report.bytesReceived ?? 0;
    received += (report.requestsReceived ?? 0) + (report.responsesReceived ?? 0);
  }
  return received;
}
