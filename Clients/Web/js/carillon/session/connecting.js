/** The steps that make a connection ready. */
import * as frames from "./frames.js";
import { connect, fail } from "./ending.js";
import { releasePeer } from "./holding.js";
import { firstPing } from "./keep-alive.js";
import { noneSeen } from "../meeting/seen.js";
import { emptyRoster } from "../meeting/roster.js";
import { limits, noVideoState } from "./state.js";
import { StatusCode } from "./status.js";
import { MOST_VIDEOS } from "../video/video-plan.js";
import { videoIndexed, videoOffered, videoSubscribed } from "./video.js";

/**
 * @typedef {import("./state.js").SessionState} SessionState
 * @typedef {import("./state.js").Moment} Moment
 * @typedef {import("./state.js").Result} Result
 */

/**
 * Starts the session.
 * @param {SessionState} state
 * @param {Moment} moment
 * @returns {Result}
 */
export function begin(state, moment) {
  const fresh = {
    ...state,
    outage: null,
    hasStarted: false,
    lastActive: moment.now,
    roster: emptyRoster,
    video: noVideoState,
    seen: noneSeen,
    positions: new Map(),
    outbox: [],
    promotion: null,
    leavingWith: null,
    isMutedByOther: false,
  };
  return connect(fresh, moment);
}

/**
 * Handles an open socket: sends a ping, then JOIN.
 * @param {SessionState} state
 * @param {Moment} moment
 * @returns {Result}
 */
export function opened(state, moment) {
  const { connection } = state;
  if (!connection || connection.step !== "opening") return [state, []];
  const [pinging, ping] = firstPing({ ...connection, step: "joining", openedAt: moment.now }, moment);
  return [
    { ...state, connection: pinging },
    [ping, { type: "send", frame: frames.join(state.options, state.positions) }],
  ];
}

/**
 * Handles JOIN_ACK. The frame's TURN credentials are for the peer connection that the session opens
 * at INDEX.
 * @param {SessionState} state
 * @param {import("../wire/frame.js").Frame} frame
 * @param {Moment} moment
 * @returns {Result}
 */
export function joined(state, frame, moment) {
  const { connection } = state;
  if (!connection || connection.step !== "joining") return [state, []];
  if (!frame["joinack"]) return fail(state, StatusCode.SignalingRequestFailed, moment);
  const turn = frame["joinack"].turn_credentials ?? null;
  const videoLimit = Math.min(MOST_VIDEOS, frame["joinack"].video_subscription_limit || MOST_VIDEOS);
  return [{ ...state, connection: { ...connection, step: "indexing", turn, videoLimit } }, []];
}

/**
 * Handles INDEX. The first INDEX ends the join phase.
 * @param {SessionState} state
 * @param {import("../wire/frame.js").Frame} frame
 * @param {Moment} moment
 * @returns {Result}
 */
export function indexed(state, frame, moment) {
  const { connection } = state;
  const isFirst = connection?.step === "joining" || connection?.step === "indexing";
  if (!connection || (!frame["index"] && isFirst)) return fail(state, StatusCode.TaskFailed, moment);
  if (!frame["index"]) return [state, []];
  const [next, news] = videoIndexed(state, frame["index"]);
  /** @type {import("./state.js").Effect[]} */
  const notices = [{ type: "index", index: frame["index"] }, ...news];
  if (!isFirst) return [next, notices];
  if (state.options.media === "none") {
    const [ready, effects] = becomeReady(next, "none", moment);
    return [ready, [...notices, ...effects]];
  }
  // A reconnection has a full timeout for the setup and a second full timeout for media. A first
  // join has one timeout for setup and media together.
  const deadline = state.hasStarted ? moment.now + limits.connectMs : connection.deadline;
  return [
    { ...next, connection: { ...connection, step: "offering", media: "connecting", deadline } },
    [
      ...notices,
      { type: "openPeer", connection: connection.number, turn: connection.turn },
      { type: "mediaChanged", media: "connecting" },
    ],
  ];
}

/**
 * Handles an offer of the peer connection: sends SUBSCRIBE. The first offer contains no video.
 * @param {SessionState} state
 * @param {string} sdp
 * @param {ReadonlyMap<number, string>} [mids] the mids of the videos' sections, by group
 * @param {readonly import("../video/send-layers.js").SendLayer[]} [layers] the layers of the camera
 * @returns {Result}
 */
export function offered(state, sdp, mids = new Map(), layers = []) {
  const { connection } = state;
  if (connection?.step === "ready") return videoOffered(state, connection, sdp, mids, layers);
  if (!connection || connection.step !== "offering") return [state, []];
  const isMuted = state.isMuted;
  return [
    { ...state, connection: { ...connection, step: "subscribing" } },
    [{ type: "send", frame: frames.subscribe(state.options, sdp, isMuted) }],
  ];
}

/**
 * Handles SUBSCRIBE_ACK: passes the answer to the peer connection and waits for ICE.
 * @param {SessionState} state
 * @param {import("../wire/frame.js").Frame} frame
 * @param {Moment} moment
 * @returns {Result}
 */
export function subscribed(state, frame, moment) {
  const { connection } = state;
  if (connection?.step === "ready") return videoSubscribed(state, connection, frame);
  if (!connection || connection.step !== "subscribing") return [state, []];
  const sdp = frame["suback"]?.sdp_answer;
  if (!sdp) {
    if (state.options.media === "optional") return mediaIsUnavailable(state, moment);
    return fail(state, StatusCode.TaskFailed, moment);
  }
  const isOptional = state.options.media === "optional";
  const deadline = isOptional
    ? Math.min(connection.deadline, moment.now + limits.optionalMediaMs)
    : connection.deadline;
  return [
    { ...state, connection: { ...connection, step: "establishing", deadline } },
    [{ type: "answer", connection: connection.number, sdp }],
  ];
}

/**
 * Handles a connected peer connection: ICE and DTLS are done.
 * @param {SessionState} state
 * @param {Moment} moment
 * @returns {Result}
 */
export function mediaIsReady(state, moment) {
  const { connection } = state;
  if (!connection || connection.media === "none") return [state, []];
  if (connection.step === "establishing") return becomeReady(state, "connected", moment);
  if (connection.step !== "ready" || connection.media === "connected") return [state, []];
  return [
    { ...state, connection: { ...connection, media: "connected", emptySeconds: 0 } },
    [{ type: "mediaChanged", media: "connected" }],
  ];
}

/**
 * Handles a missing or a lost media path.
 * @param {SessionState} state
 * @param {Moment} moment
 * @returns {Result}
 */
export function mediaIsUnavailable(state, moment) {
  const { connection } = state;
  if (!connection || connection.media === "none") return [state, []];
  if (state.options.media === "required") return fail(state, StatusCode.TaskFailed, moment);
  if (connection.step !== "ready") return becomeReady(state, "unavailable", moment);
  return [
    { ...state, connection: { ...connection, media: "unavailable" } },
    [{ type: "mediaChanged", media: "unavailable" }],
  ];
}

/**
 * Marks the connection as ready, notifies observers and sends the queued messages.
 * @param {SessionState} state
 * @param {import("./state.js").MediaState} media
 * @param {Moment} moment
 * @returns {Result}
 */
function becomeReady(state, media, moment) {
  const { connection } = state;
  if (!connection) return [state, []];
  const [released, effects] = releasePeer(state);
  if (media !== connection.media) effects.push({ type: "mediaChanged", media });
  // SUBSCRIBE usually tells the server the mute state. This code also sends the mute state if the
  // connection has no media, or if the user muted the microphone.
  if (media === "none" || media === "unavailable" || state.isMuted) {
    effects.push({ type: "send", frame: frames.audioControl(state.isMuted) });
  }
  effects.push({ type: "started", isReconnecting: state.hasStarted });
  for (const message of state.outbox) effects.push({ type: "send", frame: frames.dataMessage(message) });
  return [
    {
      ...released,
      phase: "connected",
      hasStarted: true,
      outage: null,
      outbox: [],
      lastActive: moment.now,
      muteSettlesAt: moment.now + limits.muteSettlesMs,
      connection: { ...connection, step: "ready", media, emptySeconds: 0 },
    },
    effects,
  ];
}
