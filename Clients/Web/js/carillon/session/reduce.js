/**
 * A session as a reducer: from a state and an input, the reducer computes the next state and
 * effects. The reducer uses no socket, clock or page. `meeting/session-engine.js` uses all three,
 * and calls the reducer.
 */
import * as frames from "./frames.js";
import { closed, connect, fail, leave, stop } from "./ending.js";
import { earlier } from "./holding.js";
import { keepAlive, nextKeepAliveAt, probe } from "./keep-alive.js";
import { begin, mediaIsReady, mediaIsUnavailable, offered, opened } from "./connecting.js";
import { receive } from "./receiving.js";
import { mute, settleMute } from "./muting.js";
import { demote, promote, promotionTimedOut } from "./promoting.js";
import { limits } from "./state.js";
import { StatusCode } from "./status.js";
import * as video from "./video.js";
import { latenessOf, wake } from "./waking.js";

/**
 * Processes one input. The reducer ignores inputs of earlier connections, except inputs of the held
 * peer connection.
 * @param {import("./state.js").SessionState} state
 * @param {import("./state.js").Input} input
 * @param {import("./state.js").Moment} moment
 * @returns {import("./state.js").Result}
 */
export function reduce(state, input, moment) {
  if ("connection" in input && input.connection !== state.connection?.number) {
    return video.followVideo(state, earlier(state, input), moment);
  }
  const stoppedMs = latenessOf(state, moment.now);
  if (stoppedMs >= limits.asleepMs) {
    const [awake, effects] = video.followVideo(state, wake(state, stoppedMs, moment), moment);
    const [next, further] = reduce(awake, input, moment);
    return [next, [...effects, ...further]];
  }
  return video.followVideo(state, take(state, input, moment), moment);
}

/**
 * @param {import("./state.js").SessionState} state
 * @param {import("./state.js").Input} input
 * @param {import("./state.js").Moment} moment
 * @returns {import("./state.js").Result}
 */
function take(state, input, moment) {
  switch (input.type) {
    case "start":
      return state.phase === "idle" || state.phase === "stopped" ? begin(state, moment) : [state, []];
    case "stop":
      return stop(state, StatusCode.Left, moment);
    case "tick":
      return tick(state, moment);
    case "socketOpened":
      return opened(state, moment);
    case "socketClosed":
      return closed(state, input.code, moment);
    case "frame":
      return receive(state, input.frame, input.wallMs, moment);
    case "offer":
      return offered(state, input.sdp, input.mids, input.layers);
    case "layersChanged":
      return video.layersChanged(state);
    case "answered":
      return video.videoAnswered(state);
    case "declined":
      return video.videoRefused(state);
    case "peerConnected":
      return mediaIsReady(state, moment);
    case "peerFailed":
      return mediaIsUnavailable(state, moment);
    case "mediaSecond":
      return mediaSecond(state, input.broughtSomething, moment);
    case "networkChanged":
      return networkChanged(state, moment);
    case "mute":
      return mute(state, input.isMuted, moment);
    case "send":
      return send(state, input.message);
    case "sendVideo":
      return video.sendVideo(state, input.isSending);
    case "receiveVideo":
      return video.receiveVideo(state, input.isReceiving);
    case "subscribeVideo":
      return video.subscribeVideo(state, input.addedOrUpdated, input.removed);
    case "pauseVideo":
      return video.pauseVideo(state, input.groupId, input.isPaused);
    case "promote":
      return promote(state, input.credentials, moment);
    case "demote":
      return demote(state);
  }
}

/**
 * Returns the time of the next tick.
 * @param {import("./state.js").SessionState} state
 * @returns {number | null} `null` without a deadline
 */
export function nextDeadline(state) {
  /** @type {number[]} */
  const due = [];
  const { connection } = state;
  if (connection && (state.phase === "connecting" || state.phase === "connected")) {
    if (connection.step !== "ready") due.push(connection.deadline);
    if (Number.isFinite(connection.negotiation.deadline)) due.push(connection.negotiation.deadline);
    due.push(...nextKeepAliveAt(connection));
  }
  if (state.phase === "waiting" && state.outage) due.push(state.outage.retryAt);
  if (state.phase === "leaving") due.push(state.leaveDeadline);
  if (state.promotion?.stage === "requested") due.push(state.promotion.deadline);
  if (state.muteSettlesAt > 0) due.push(state.muteSettlesAt);
  return due.length ? Math.min(...due) : null;
}

/**
 * @param {import("./state.js").SessionState} state
 * @param {import("./state.js").Moment} moment
 * @returns {import("./state.js").Result}
 */
function tick(state, moment) {
  const { now } = moment;
  if (state.phase === "leaving" && now >= state.leaveDeadline) return leave(state);
  if (state.phase === "waiting" && state.outage && now >= state.outage.retryAt) {
    return connect(state, moment);
  }
  if (state.promotion?.stage === "requested" && now >= state.promotion.deadline) {
    return promotionTimedOut(state);
  }
  if (state.muteSettlesAt > 0 && now >= state.muteSettlesAt) {
    return settleMute({ ...state, muteSettlesAt: 0 }, now);
  }
  const { connection } = state;
  if (!connection || (state.phase !== "connecting" && state.phase !== "connected")) return [state, []];
  if (connection.step !== "ready" && now >= connection.deadline) {
    if (connection.step === "establishing") return mediaIsUnavailable(state, moment);
    return fail(state, StatusCode.TaskFailed, moment);
  }
  return video.videoTimedOut(state, moment) ?? keepAlive(state, connection, moment);
}

/**
 * @param {import("./state.js").SessionState} state
 * @param {boolean} broughtSomething
 * @param {import("./state.js").Moment} moment
 * @returns {import("./state.js").Result}
 */
function mediaSecond(state, broughtSomething, moment) {
  const { connection } = state;
  if (!connection || connection.media !== "connected") return [state, []];
  const emptySeconds = broughtSomething ? 0 : connection.emptySeconds + 1;
  const next = { ...state, connection: { ...connection, emptySeconds } };
  const isJudged = moment.now - connection.openedAt >= limits.settlingMs;
  if (isJudged && emptySeconds >= limits.emptySeconds) {
    return fail(next, StatusCode.ConnectionHealthReconnect, moment);
  }
  // `media` sends a packet of the mix every 20 ms. If no packet arrives, the network may be down,
  // and the socket may be dead.
  const isDoubted = emptySeconds > 0 && emptySeconds % limits.doubtSeconds === 0;
  return isDoubted && state.phase === "connected" ? probe(next, moment) : [next, []];
}

/**
 * @param {import("./state.js").SessionState} state
 * @param {import("./state.js").Moment} moment
 * @returns {import("./state.js").Result}
 */
function networkChanged(state, moment) {
  if (state.phase === "waiting") return connect(state, moment);
  return state.phase === "connected" ? probe(state, moment) : [state, []];
}

/**
 * @param {import("./state.js").SessionState} state
 * @param {import("./state.js").OutgoingMessage} message
 * @returns {import("./state.js").Result}
 */
function send(state, message) {
  if (state.phase === "connected") return [state, [{ type: "send", frame: frames.dataMessage(message) }]];
  if (state.phase !== "connecting" && state.phase !== "waiting") return [state, []];
  if (state.outbox.length >= limits.outbox) {
    return [state, [{ type: "log", level: "warn", message: "A message was dropped: too many wait." }]];
  }
  return [{ ...state, outbox: [...state.outbox, message] }, []];
}
