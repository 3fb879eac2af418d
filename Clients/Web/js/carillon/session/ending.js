/** Opening, retrying and ending connections and sessions. */
import * as frames from "./frames.js";
import { holdOrClosePeer, releasePeer } from "./holding.js";
import { MOST_VIDEOS } from "../video/video-plan.js";
import { limits, noNegotiation, noVideoState } from "./state.js";
import { MeetingSessionStatus, StatusCode, statusOfClose } from "./status.js";

/**
 * @typedef {import("./state.js").SessionState} SessionState
 * @typedef {import("./state.js").Effect} Effect
 * @typedef {import("./state.js").Moment} Moment
 * @typedef {import("./state.js").Result} Result
 */

/**
 * Opens a connection.
 * @param {SessionState} state
 * @param {Moment} moment
 * @returns {Result}
 */
export function connect(state, { now }) {
  const number = state.connections + 1;
  /** @type {import("./state.js").Connection} */
  const connection = {
    number,
    step: "opening",
    deadline: now + limits.connectMs,
    openedAt: now,
    turn: null,
    pingId: 0,
    nextPingAt: Infinity,
    isPingOutstanding: false,
    missedPongs: 0,
    probeDeadline: null,
    emptySeconds: 0,
    media: "none",
    hasRoster: false,
    videoLimit: MOST_VIDEOS,
    negotiation: noNegotiation,
  };
  return [
    { ...state, phase: "connecting", connections: number, connection },
    [
      { type: "connecting", isReconnecting: state.hasStarted },
      { type: "openSocket", connection: number },
    ],
  ];
}

/**
 * Handles a socket that closed or did not open.
 * @param {SessionState} state
 * @param {number} code
 * @param {Moment} moment
 * @returns {Result}
 */
export function closed(state, code, moment) {
  if (state.phase === "leaving") return leave(state);
  if (state.connection?.step === "opening" && code !== 4410) {
    return fail(state, StatusCode.TaskFailed, moment);
  }
  return fail(state, statusOfClose(code), moment);
}

/**
 * Ends the connection with a status. A terminal status stops the session. After any other status,
 * the session retries until `limits.reconnectMs` has passed.
 * @param {SessionState} state
 * @param {number} statusCode
 * @param {Moment} moment
 * @returns {Result}
 */
export function fail(state, statusCode, moment) {
  const status = new MeetingSessionStatus(statusCode);
  if (state.phase !== "connecting" && state.phase !== "connected") return [state, []];
  if (status.isTerminal) return stop(state, statusCode, moment);

  const { now, random } = moment;
  const outage = state.outage ?? { firstAttemptAt: now, failures: 0, retryAt: now };
  // The random wait protects the server from many clients that lose their connections at the same
  // time. Browsers do not stop the pages of many people at the same time.
  const hasJustWoken = outage.failures === 0 && now - state.wokeAt <= limits.connectMs;
  const wait = hasJustWoken ? 0 : random * Math.min(5_000, 1_000 * 2 ** outage.failures);
  const retryAt = now + wait;
  const [holding, closing] = holdOrClosePeer(state);
  const [demoted, notices] = lostPromotion(holding);
  /** @type {Effect[]} */
  const effects = [...closing, { type: "closeSocket" }];
  if (state.phase === "connected") effects.push({ type: "dropped", status });
  effects.push(...notices);
  /** @type {SessionState} */
  const next = {
    ...demoted,
    phase: "waiting",
    connection: null,
    outage: { ...outage, failures: outage.failures + 1, retryAt },
  };
  // A first join has the same retry time as a reconnection.
  const isOver =
    now - outage.firstAttemptAt >= limits.reconnectMs || now - state.lastActive >= limits.reconnectMs;
  if (!isOver) return [next, [...effects, { type: "waiting", untilMs: retryAt }]];
  if (state.hasStarted) effects.push({ type: "reconnectCancelled" });
  const [last, releasing] = releasePeer(next);
  effects.push(...releasing, { type: "stopped", status });
  return [{ ...last, phase: "stopped", outage: null, video: withoutVideo(state) }, effects];
}

/**
 * Returns the video state of a stopped session. The state still contains the receptions, so that
 * `followVideo` reports the removed tiles.
 * @param {SessionState} state
 */
const withoutVideo = ({ video: { receptions } }) => ({ ...noVideoState, receptions });

/**
 * Ends the session. A joined session sends LEAVE and waits up to `limits.connectMs` for the answer.
 * @param {SessionState} state
 * @param {number} statusCode the reason
 * @param {Moment} moment
 * @returns {Result}
 */
export function stop(state, statusCode, { now }) {
  const status = new MeetingSessionStatus(statusCode);
  if (state.phase === "idle" || state.phase === "stopped" || state.phase === "leaving") {
    return [state, []];
  }
  const [demoted, notices] = lostPromotion(state);
  const wasWaiting = state.hasStarted && state.phase !== "connected";
  /** @type {Effect[]} */
  const effects = wasWaiting ? [{ type: "reconnectCancelled" }] : [];
  const isJoined = state.connection && state.connection.step !== "opening";
  if (!isJoined) {
    const [left, ending] = leave({ ...demoted, leavingWith: status });
    return [left, [...notices, ...effects, ...ending]];
  }
  effects.push({ type: "send", frame: frames.leave() });
  return [
    { ...demoted, phase: "leaving", leavingWith: status, leaveDeadline: now + limits.connectMs },
    [...notices, ...effects],
  ];
}

/**
 * Completes the end: the server acknowledged LEAVE, or the wait for the acknowledgement timed out.
 * @param {SessionState} state
 * @returns {Result}
 */
export function leave(state) {
  const status = state.leavingWith ?? new MeetingSessionStatus(StatusCode.Left);
  const [last, releasing] = releasePeer(state);
  return [
    { ...last, phase: "stopped", connection: null, outage: null, outbox: [], video: withoutVideo(state) },
    [{ type: "closePeer" }, ...releasing, { type: "closeSocket" }, { type: "stopped", status }],
  ];
}

/**
 * Ends a promotion after the loss of the connection.
 * @param {SessionState} state
 * @returns {[SessionState, Effect[]]}
 */
function lostPromotion(state) {
  if (!state.promotion) return [state, []];
  const without = { ...state, promotion: null };
  if (state.promotion.stage === "requested") {
    const status = new MeetingSessionStatus(StatusCode.SignalingRequestFailed);
    return [without, [{ type: "promoted", status }]];
  }
  const status = new MeetingSessionStatus(StatusCode.AudioVideoDisconnectedWhilePromoted);
  return [without, [{ type: "demoted", status }]];
}
