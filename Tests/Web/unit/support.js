/** Functions and classes that several unit tests use. */
import { reduce, nextDeadline } from "../../../Clients/Web/js/carillon/session/reduce.js";
import { initialState } from "../../../Clients/Web/js/carillon/session/state.js";

/** @param {string} hex */
export const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {Uint8Array} bytes */
export const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export const ME = "attendee-ada";

/**
 * A session without socket, clock or page. A test passes inputs to the session and inspects the
 * effects.
 */
export class Bench {
  now = 1_000;
  random = 0.5;
  effects = [];

  constructor(options = {}) {
    this.state = initialState({
      attendeeId: ME,
      externalUserId: "ada",
      audioHost: "audio.example",
      audioSessionId: 7,
      clientDetails: {},
      media: "required",
      isMuted: false,
      ...options,
    });
  }

  /** Passes an input to the session, and returns the effects. */
  take(input) {
    const [state, effects] = reduce(this.state, input, { now: this.now, random: this.random });
    this.state = state;
    this.effects.push(...effects);
    return effects;
  }

  /** Passes an input about the current connection to the session. */
  happens(type, fields = {}) {
    return this.take({ type, connection: this.state.connection?.number ?? -1, ...fields });
  }

  /** Passes a frame of the server to the session. */
  hears(type, fields = {}) {
    const frame = { timestamp_ms: BigInt(this.now), type, ...fields };
    return this.happens("frame", { frame, wallMs: this.now });
  }

  /** Advances the time, with a tick at each deadline. */
  pass(milliseconds) {
    const end = this.now + milliseconds;
    const effects = [];
    for (let due = nextDeadline(this.state); due !== null && due <= end; due = nextDeadline(this.state)) {
      this.now = Math.max(this.now, due);
      effects.push(...this.take({ type: "tick" }));
    }
    this.now = end;
    return effects;
  }

  /** Joins, and completes all steps until the session is ready. */
  join({ reconnecting = false } = {}) {
    if (!reconnecting) this.take({ type: "start" });
    this.happens("socketOpened");
    this.hears(2, { joinack: {} });
    this.hears(5, { index: {} });
    this.happens("offer", { sdp: OFFER });
    this.hears(4, { suback: { sdp_answer: "v=0" } });
    return this.happens("peerConnected");
  }

  /** Returns the frames that the effects send. */
  static sent(effects) {
    return effects.filter(({ type }) => type === "send").map(({ frame }) => frame);
  }

  /** Returns the types of the effects. */
  static kinds(effects) {
    return effects.map(({ type }) => type);
  }
}

/** Returns an entry of INDEX for a video. */
export const source = (group, attendeeId, more = {}) => ({
  stream_id: 100 + group,
  group_id: group,
  attendee_id: attendeeId,
  media_type: 2,
  max_bitrate_kbps: 1_500,
  ...more,
});

/** A peer connection without a network, with the sections of an `RTCPeerConnection`. */
export class FakeConnection extends EventTarget {
  /** The connections that the session made, the newest last. */
  static made = [];
  transceivers = [];
  signalingState = "stable";
  iceGatheringState = "complete";
  connectionState = "new";
  localDescription = null;
  currentRemoteDescription = null;
  /** Whether the connection accepts answers. */
  takesAnswers = true;
  isClosed = false;
  #mids = 0;

  constructor(configuration) {
    super();
    this.configuration = configuration;
    FakeConnection.made.push(this);
  }

  addTransceiver(trackOrKind, { direction, sendEncodings = [] }) {
    const kind = typeof trackOrKind === "string" ? trackOrKind : trackOrKind.kind;
    const sender = {
      track: typeof trackOrKind === "string" ? null : trackOrKind,
      replaceTrack: async (track) => void (sender.track = track),
      getParameters: () => ({ encodings: sendEncodings.map((each) => ({ ...each })) }),
      setParameters: async ({ encodings }) => void sendEncodings.splice(0, Infinity, ...encodings),
    };
    const transceiver = {
      kind,
      mid: null,
      direction,
      sendEncodings,
      sender,
      receiver: { track: { kind, id: `track-${this.transceivers.length}` } },
      codecs: [],
      isStopped: false,
      stop: () => (transceiver.isStopped = true),
      setCodecPreferences: (codecs) => (transceiver.codecs = codecs),
    };
    this.transceivers.push(transceiver);
    return transceiver;
  }

  async createOffer() {
    for (const each of this.transceivers) each.mid ??= `${this.#mids++}`;
    const sections = this.transceivers.map(({ kind, mid, direction, isStopped }) =>
      [`m=${kind} ${isStopped ? 0 : 9} UDP/TLS/RTP/SAVPF 96`, `a=mid:${mid}`, `a=${isStopped ? "inactive" : direction}`, ""].join("\r\n"),
    );
    return { type: "offer", sdp: `v=0\r\n${sections.join("")}` };
  }

  async setLocalDescription(description) {
    this.signalingState = description.type === "rollback" ? "stable" : "have-local-offer";
    if (description.sdp) this.localDescription = description;
  }

  async setRemoteDescription(description) {
    if (!this.takesAnswers) throw new Error("The answer is wrong.");
    this.signalingState = "stable";
    this.currentRemoteDescription = description;
  }

  async getStats() {
    return new Map();
  }

  close() {
    this.isClosed = true;
  }
}

/** A track of a microphone, a camera or a screen. */
export class FakeTrack extends EventTarget {
  enabled = true;
  isStopped = false;
  contentHint = "";

  constructor(kind = "video", size = {}) {
    super();
    this.kind = kind;
    this.size = size;
  }

  getSettings() {
    return this.size;
  }

  stop() {
    this.isStopped = true;
  }
}

export class FakeStream {
  constructor(tracks) {
    this.tracks = tracks;
  }

  getTracks() {
    return this.tracks;
  }

  getVideoTracks() {
    return this.tracks.filter(({ kind }) => kind === "video");
  }

  getAudioTracks() {
    return this.tracks.filter(({ kind }) => kind === "audio");
  }
}

/** Defines the global classes that only browsers have. */
export function installWebRTC() {
  const codecs = { audio: ["audio/opus", "audio/red"], video: ["video/H264", "video/VP8", "video/rtx"] };
  globalThis.RTCPeerConnection = FakeConnection;
  globalThis.RTCRtpReceiver = {
    getCapabilities: (kind) => ({ codecs: codecs[kind].map((mimeType) => ({ mimeType })) }),
  };
  globalThis.MediaStream = FakeStream;
}

/** The layers of a camera of the usual size. */
export const LAYERS = [
  { rid: "low", scale: 4, maxBitrateKbps: 300 },
  { rid: "hi", scale: 1, maxBitrateKbps: 1_500 },
];

/** Waits until the callbacks of resolved promises have run. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

export const OFFER = "v=0\r\nm=audio 9 X 0\r\nm=video 9 X 0\r\n";
