import { layerOf } from "../video/layer-watch.js";
import { nextDeadline, reduce } from "../session/reduce.js";
import { initialState } from "../session/state.js";
import { decodeFrame, encodeFrame } from "../wire/frame.js";
import { DecodeError } from "../wire/reader.js";
import { Peer } from "./peer.js";
import { SignalingSocket } from "./signaling-socket.js";

/**
 * @typedef {object} PromotionObserver
 * @property {(status: import("../session/status.js").MeetingSessionStatus) => void} didPromoteToPrimaryMeeting
 * @property {(status: import("../session/status.js").MeetingSessionStatus) => void} didDemoteFromPrimaryMeeting
 *
 * @typedef {object} Logger
 * @property {(message: string) => void} debug
 * @property {(message: string) => void} info
 * @property {(message: string) => void} warn
 */

/**
 * Executes the reducer's effects: owns the socket, the peer connection and the timer of one
 * session.
 */
export class SessionEngine {
  #configuration;
  #devices;
  #logger;
  /** @type {import("../session/state.js").Input[]} */
  #inputs = [];
  #isBusy = false;
  /** @type {SignalingSocket | null} */
  #socket = null;
  /** @type {Peer | null} */
  #peer = null;
  /**
   * The peer connection that the session keeps from an earlier connection while this peer
   * connection brings sound.
   * @type {Peer | null}
   */
  #held = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /**
   * Removes the network listeners; set while the session runs.
   * @type {AbortController | null}
   */
  #watch = null;

  /**
   * @param {import("./configuration.js").MeetingSessionConfiguration} configuration
   * @param {import("../session/state.js").SessionOptions} options
   * @param {Logger} logger
   * @param {import("./peer.js").PeerDevices} devices
   */
  constructor(configuration, options, logger, devices) {
    this.#configuration = configuration;
    this.#logger = logger;
    this.#devices = devices;
    this.state = initialState(options);
    /** @type {(notice: import("../session/state.js").Notice) => void} */
    this.notice = () => {};
    /** @type {(metrics: import("./peer.js").Metrics) => void} */
    this.measured = () => {};
  }

  /**
   * Returns the track of a received video, or `null`.
   * @param {number} groupId
   */
  trackOf(groupId) {
    return this.#peer?.trackOf(groupId) ?? this.#held?.trackOf(groupId) ?? null;
  }

  /**
   * The video layers that the camera sent during the last second, smallest first.
   * @returns {readonly import("../video/layer-watch.js").SentLayer[]}
   */
  get sentLayers() {
    return this.state.video.isSending ? (this.#peer?.flow.sent ?? []) : [];
  }

  /**
   * For each remote video, the layer that arrived during the last second, by attendee id.
   * @returns {ReadonlyMap<string, import("../video/layer-watch.js").ReceivedLayer>}
   */
  get receivedLayers() {
    const layers = this.state.video.sources.flatMap(({ attendeeId, groupId, pixels }) => {
      const size = this.#peer?.receivedSize(groupId);
      if (!size) return [];
      const lowestFirst = [...pixels].reverse();
      const layer = { layer: layerOf(size, lowestFirst), layerCount: pixels.length, ...size };
      return [/** @type {const} */ ([attendeeId, layer])];
    });
    return new Map(layers);
  }

  /**
   * Processes an input after all inputs that are already in the queue. Observers may dispatch
   * further inputs.
   * @param {import("../session/state.js").Input} input
   */
  dispatch(input) {
    this.#inputs.push(input);
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      for (let next = this.#inputs.shift(); next; next = this.#inputs.shift()) this.#take(next);
    } finally {
      this.#isBusy = false;
    }
    this.#wakeInTime();
  }

  /** @param {import("../session/state.js").Input} input */
  #take(input) {
    const moment = { now: performance.now(), random: Math.random() };
    if (input.type === "start") this.#watchNetwork();
    const [state, effects] = reduce(this.state, input, moment);
    this.state = state;
    for (const effect of effects) this.#execute(effect);
  }

  #wakeInTime() {
    clearTimeout(this.#timer);
    const deadline = nextDeadline(this.state);
    if (deadline === null) return;
    const wait = Math.max(0, deadline - performance.now());
    this.#timer = setTimeout(() => this.dispatch({ type: "tick" }), Math.ceil(wait));
  }

  /** @param {import("../session/state.js").Effect} effect */
  #execute(effect) {
    switch (effect.type) {
      case "openSocket":
        return this.#openSocket(effect.connection);
      case "closeSocket":
        this.#socket?.close();
        this.#socket = null;
        return;
      case "send":
        return this.#socket?.send(encodeFrame(effect.frame, Date.now()));
      case "openPeer":
        return this.#openPeer(effect.connection, effect.turn);
      case "negotiate":
        void this.#peer?.offer(effect.plan);
        return;
      case "rollback":
        void this.#peer?.rollback();
        return;
      case "answer":
        void this.#peer?.accept(effect.sdp);
        return;
      case "closePeer":
        this.#peer?.close(!this.#held);
        this.#peer = null;
        return;
      case "holdPeer":
        [this.#held, this.#peer] = [this.#peer, null];
        if (this.#held) this.#held.isHeld = true;
        return;
      case "releasePeer":
        this.#held?.close(!this.#peer?.hasMix);
        this.#held = null;
        return;
      case "log":
        this.#logger[effect.level](effect.message);
        return;
      default:
        if (effect.type === "stopped") this.#endWatch();
        this.notice(effect);
    }
  }

  /**
   * Listens for network changes until the session ends. The window exists longer than the session,
   * so the session must remove the listeners.
   */
  #watchNetwork() {
    if (this.#watch) return;
    this.#watch = new AbortController();
    const changed = () => this.dispatch({ type: "networkChanged" });
    const { signal } = this.#watch;
    for (const name of ["online", "offline"]) globalThis.addEventListener?.(name, changed, { signal });
  }

  #endWatch() {
    this.#watch?.abort();
    this.#watch = null;
  }

  /** @param {number} connection */
  #openSocket(connection) {
    this.#socket?.close();
    const { signalingUrl, joinToken } = this.#configuration;
    try {
      this.#socket = new SignalingSocket(signalingUrl, joinToken, {
        opened: () => this.dispatch({ type: "socketOpened", connection }),
        received: (bytes) => this.#received(connection, bytes),
        closed: (code) => this.dispatch({ type: "socketClosed", connection, code }),
      });
    } catch {
      // The browser's WebSocket class rejected the URL or the token. The exception may contain the
      // token, so the log entry must not contain the exception.
      this.#logger.warn("The address of the meeting cannot be used.");
      this.dispatch({ type: "socketClosed", connection, code: 4400 });
    }
  }

  /**
   * @param {number} connection
   * @param {Uint8Array} bytes
   */
  #received(connection, bytes) {
    try {
      const frame = decodeFrame(bytes);
      this.dispatch({ type: "frame", connection, frame, wallMs: Date.now() });
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      this.#logger.warn(`A frame of the server cannot be read: ${error.message}`);
    }
  }

  /**
   * @param {number} connection
   * @param {import("../wire/codec.js").Decoded | null} turn
   */
  #openPeer(connection, turn) {
    this.#peer?.close();
    try {
      this.#peer = new Peer(turn, this.#devices, {
        offered: (sdp, mids, layers) => this.dispatch({ type: "offer", connection, sdp, mids, layers }),
        layersChanged: () => this.dispatch({ type: "layersChanged", connection }),
        answered: () => this.dispatch({ type: "answered", connection }),
        declined: () => this.dispatch({ type: "declined", connection }),
        connected: () => this.dispatch({ type: "peerConnected", connection }),
        failed: () => this.dispatch({ type: "peerFailed", connection }),
        second: (broughtSomething) =>
          this.dispatch({ type: "mediaSecond", connection, broughtSomething }),
        measured: (metrics) => this.measured(metrics),
      });
      void this.#peer.offer();
    } catch {
      this.#logger.warn("This browser has no peer connections.");
      this.dispatch({ type: "peerFailed", connection });
    }
  }
}
