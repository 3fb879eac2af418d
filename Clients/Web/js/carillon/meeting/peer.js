/**
 * The peer connection of a session: sends and receives sound and video, makes offers, applies
 * answers and measures the path.
 */
import { LayerWatch, noFlow } from "../video/layer-watch.js";
import { VideoSections } from "../video/video-sections.js";
import { noVideo } from "../video/video-plan.js";
import { noVideoCounts, videoCounts, videoMetrics } from "../video/video-metrics.js";
import { audioCounts, audioMetrics, noCounts } from "./audio-metrics.js";

/** The longest time to gather candidates for an offer, in milliseconds. */
const GATHERS_WITHIN_MS = 5_000;

/**
 * @typedef {import("../video/send-layers.js").SendLayer} SendLayer
 *
 * @typedef {object} PeerEvents
 * @property {(sdp: string, mids: ReadonlyMap<number, string>, layers: readonly SendLayer[]) =>
 *   void} offered the connection made an offer, with the sections of the received videos, by group,
 *   and the sent layers
 * @property {() => void} layersChanged the camera's layers differ from the layers in the last offer
 * @property {() => void} answered the connection applied an answer
 * @property {() => void} declined the connection could not apply an answer, and this answer was not
 *   the first
 * @property {() => void} connected
 * @property {() => void} failed
 * @property {(broughtSomething: boolean) => void} second called once a second. The argument says
 *   whether any packet arrived during the last second; for a held connection, whether a packet of
 *   sound arrived
 * @property {(metrics: Metrics) => void} measured called once a second
 *
 * @typedef {import("./audio-metrics.js").AudioMetrics & import("../video/video-metrics.js").VideoMetrics} Metrics
 *
 * @typedef {object} PeerDevices the tracks that a peer connection sends, and the player of the mix
 *   that it receives
 * @property {MediaStreamTrack | null} track the track of the microphone
 * @property {MediaStreamTrack | null} videoTrack the track of the camera
 * @property {boolean} [isScreen] whether the video shows a screen
 * @property {(observer: Record<string, any>) => void} addDeviceChangeObserver
 * @property {(observer: Record<string, any>) => void} removeDeviceChangeObserver
 * @property {(mix: MediaStream | null) => Promise<void>} play
 */

export class Peer {
  #connection;
  #isClosed = false;
  /** @type {MediaStream | null} */
  #mix = null;
  /** Whether the session has lost the signaling connection of this peer connection. */
  isHeld = false;
  /** Whether the connection has passed its mix to the player. */
  hasMix = false;
  #received = 0;
  #counts = noCounts;
  #videoCounts = noVideoCounts;
  #layers = new LayerWatch();
  /** The video layers that the connection sent or received during the last second. */
  flow = noFlow;
  #devices;
  #sender;
  #video;
  /** The observer of the devices. The observer replaces a track without a new offer. */
  #input = {
    audioInputDidChange: (/** @type {MediaStreamTrack | null} */ track) =>
      void this.#replace(() => this.#sender.replaceTrack(track)),
    videoInputDidChange: (/** @type {MediaStreamTrack | null} */ track) =>
      void this.#replace(() => this.#replaceCamera(track)),
  };
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;

  /**
   * @param {import("../wire/codec.js").Decoded | null} turn the relays of the server, if any
   * @param {PeerDevices} devices
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
    // In every offer, audio is the first section and the camera is the second section, so their
    // indices never change. Without a microphone, the browser sends no audio. If the user chooses a
    // microphone later, the session needs no new offer.
    const audio = this.#connection.addTransceiver(devices.track ?? "audio", { direction: "sendrecv" });
    this.#sender = audio.sender;
    preferRedundantAudio(audio);
    devices.addDeviceChangeObserver(this.#input);
    this.#video = new VideoSections(this.#connection, devices.isScreen ?? false);
  }

  /**
   * Makes an offer that contains all candidates.
   * @param {import("../video/video-plan.js").VideoPlan} [plan] the plan of the video; the first
   *   offer has no video
   */
  async offer(plan = noVideo) {
    try {
      await this.#video.prepare(plan, this.#devices.videoTrack);
      await this.#connection.setLocalDescription(await this.#connection.createOffer());
      await this.#gather();
      const sdp = this.#connection.localDescription?.sdp;
      if (sdp && !this.#isClosed) this.events.offered(sdp, this.#video.mids, this.#video.layers);
    } catch {
      this.#fail();
    }
  }

  /** @param {string} sdp the server's answer */
  async accept(sdp) {
    try {
      await this.#connection.setRemoteDescription({ type: "answer", sdp });
      if (!this.#isClosed) this.events.answered();
    } catch {
      if (!this.#connection.currentRemoteDescription) this.#fail();
      else if (!this.#isClosed) this.events.declined();
    }
  }

  /** Rolls back an unanswered offer. Sound and video continue as before. */
  async rollback() {
    try {
      await this.#connection.setLocalDescription({ type: "rollback" });
    } catch {
      this.#fail();
    }
  }

  /**
   * Returns the track of a received video, or `null`.
   * @param {number} groupId
   */
  trackOf(groupId) {
    return this.#video.trackOf(groupId);
  }

  /**
   * Returns the size and the frame rate at which a video arrived during the last second, or `null`.
   * @param {number} groupId
   */
  receivedSize(groupId) {
    return this.flow.received.get(this.#video.mids.get(groupId) ?? "") ?? null;
  }

  /**
   * Closes the connection. The connection emits no further events.
   * @param {boolean} [isLast] whether the player plays no mix of another connection. The player
   *   then stops
   */
  close(isLast = true) {
    this.#isClosed = true;
    clearInterval(this.#clock);
    this.#devices.removeDeviceChangeObserver(this.#input);
    if (isLast) void this.#devices.play(null);
    this.#connection.close();
  }

  #fail() {
    if (!this.#isClosed) this.events.failed();
  }

  /** @param {MediaStreamTrack | null} track */
  async #replaceCamera(track) {
    if (!this.#video.isSending) return;
    const before = this.#video.layers;
    await this.#video.send(track);
    if (this.#video.layers !== before && !this.#isClosed) this.events.layersChanged();
  }

  /** @param {() => Promise<void>} replace */
  async #replace(replace) {
    try {
      await replace();
    } catch {
      this.#fail();
    }
  }

  /** @param {MediaStreamTrack} track */
  #hear(track) {
    if (track.kind !== "audio" || this.#isClosed) return;
    this.#mix = new MediaStream([track]);
    if (this.#connection.connectionState === "connected") this.#play();
  }

  /** Plays the mix. Before this call, the player may play the mix of another connection. */
  #play() {
    if (!this.#mix) return;
    this.hasMix = true;
    void this.#devices.play(this.#mix);
  }

  /**
   * In the state "connected", the DTLS handshake has also succeeded, so packets of sound can pass.
   */
  #stateChanged() {
    if (this.#isClosed) return;
    const state = this.#connection.connectionState;
    if (state === "failed") this.events.failed();
    if (state !== "connected") return;
    if (!this.hasMix) this.#play();
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
    const [counts, ofVideo] = [audioCounts(reports), videoCounts(reports)];
    const received = bytesAndChecks(reports);
    this.events.second(this.isHeld ? counts.received > this.#counts.received : received > this.#received);
    this.#received = Math.max(received, this.#received);
    this.flow = this.#layers.take(reports);
    const metrics = { ...audioMetrics(this.#counts, counts), ...videoMetrics(this.#videoCounts, ofVideo, this.#video) };
    [this.#counts, this.#videoCounts] = [counts, ofVideo];
    this.events.measured(metrics);
  }
}

/**
 * Prefers redundant audio (RFC 2198) where the browser supports it: each packet repeats the
 * previous packet, so receivers can recover a lost packet.
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
 * Returns the sum of the received bytes and the received ICE checks. The sum grows whenever a
 * packet arrives.
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
