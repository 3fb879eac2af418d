/** Handles the frames that the server sends. */
import { messageOfPayload, TRANSCRIPT_TOPIC } from "../meeting/data-message.js";
import { applyLevels, applyPresence } from "../meeting/roster.js";
import { remember } from "../meeting/seen.js";
import { transcriptEvents } from "../meeting/transcript.js";
import { FrameType, PingPongType } from "../wire/enums.js";
import { DecodeError } from "../wire/reader.js";
import { indexed, joined, subscribed } from "./connecting.js";
import { fail, leave, stop } from "./ending.js";
import { pingPong } from "./keep-alive.js";
import { isMutedByOther, settleMute } from "./muting.js";
import { demotedByServer, promotionAnswered } from "./promoting.js";
import { limits } from "./state.js";
import { linkMeasured, refuseCamera, videoPaused } from "./video.js";
import { StatusCode, statusOfAudioStatus, statusOfError } from "./status.js";

/**
 * @typedef {import("./state.js").SessionState} SessionState
 * @typedef {import("./state.js").Effect} Effect
 * @typedef {import("./state.js").Moment} Moment
 * @typedef {import("./state.js").Result} Result
 * @typedef {import("../wire/frame.js").Frame} Frame
 */

/**
 * Processes a frame.
 * @param {SessionState} state
 * @param {Frame} frame
 * @param {number} wallMs the wall clock, in milliseconds since 1970
 * @param {Moment} moment
 * @returns {Result}
 */
export function receive(state, frame, wallMs, moment) {
  const heard = follow(hear(state, frame, wallMs), frame["positions"]);
  const error = frame["error"]?.status ?? 0;
  if (error !== 0 && frame.type !== FrameType.PRIMARY_MEETING_JOIN_ACK) {
    const code = statusOfError(error);
    // Once the connection is ready, a refused SUBSCRIBE affects only the video of the refused
    // offer.
    const isVideoAlone = frame.type === FrameType.SUBSCRIBE_ACK && state.connection?.step === "ready";
    if (isVideoAlone && code !== StatusCode.SignalingInternalServerError) return subscribed(heard, frame, moment);
    // If media is optional, a refused SUBSCRIBE ends only the media path, not the connection.
    const isMediaAlone = frame.type === FrameType.SUBSCRIBE_ACK && state.options.media === "optional";
    if (isMediaAlone && !frame["suback"]?.sdp_answer) return subscribed(heard, frame, moment);
    if (code === StatusCode.VideoCallSwitchToViewOnly) {
      const [ended, notices] = refuseCamera(heard);
      const [next, effects] = dispatch(ended, frame, error, moment);
      return [next, [...notices, ...effects]];
    }
    if (code !== StatusCode.OK) return fail(heard, code, moment);
  }
  return dispatch(heard, frame, error, moment);
}

/**
 * Records that a frame arrived, and updates the clock skew.
 * @param {SessionState} state
 * @param {Frame} frame
 * @param {number} wallMs
 * @returns {SessionState}
 */
function hear(state, frame, wallMs) {
  const clockSkewMs = Number(frame.timestamp_ms) - wallMs;
  if (!state.connection) return { ...state, clockSkewMs };
  return { ...state, clockSkewMs, connection: { ...state.connection, probeDeadline: null } };
}

/**
 * Stores the stream positions of a frame.
 * @param {SessionState} state
 * @param {import("../wire/codec.js").Decoded[] | undefined} told
 * @returns {SessionState}
 */
function follow(state, told) {
  if (!told?.length) return state;
  const positions = new Map(state.positions);
  for (const { stream = "", place = "" } of told) {
    if (positions.has(stream) || positions.size < limits.positions) positions.set(stream, place);
  }
  return { ...state, positions };
}

/**
 * @param {SessionState} state
 * @param {Frame} frame
 * @param {number} error
 * @param {Moment} moment
 * @returns {Result}
 */
function dispatch(state, frame, error, moment) {
  switch (frame.type) {
    case FrameType.JOIN_ACK:
      return joined(state, frame, moment);
    case FrameType.INDEX:
      return indexed(state, frame, moment);
    case FrameType.SUBSCRIBE_ACK:
      return subscribed(state, frame, moment);
    case FrameType.PAUSE:
    case FrameType.RESUME:
      return videoPaused(state, frame["pause"]?.group_ids ?? [], frame.type === FrameType.PAUSE);
    case FrameType.BITRATES:
      return linkMeasured(state, Number(frame["bitrates"]?.server_available_outgoing_bitrate ?? 0));
    case FrameType.PING_PONG: {
      const body = frame["ping_pong"];
      if (!body) return [state, []];
      return pingPong(state, body, body.type === PingPongType.PING, moment.now);
    }
    case FrameType.AUDIO_STREAM_ID_INFO:
      return presence(state, frame["audio_stream_id_info"]?.streams ?? [], moment.now);
    case FrameType.AUDIO_METADATA:
      return levels(state, frame["audio_metadata"]?.attendee_states ?? []);
    case FrameType.AUDIO_STATUS:
      return audioStatus(state, frame, moment);
    case FrameType.DATA_MESSAGE:
      return messages(state, frame["data_message"]?.messages ?? []);
    case FrameType.LEAVE_ACK:
      return state.phase === "leaving" ? leave(state) : [state, []];
    case FrameType.PRIMARY_MEETING_JOIN_ACK:
      return promotionAnswered(state, error);
    case FrameType.PRIMARY_MEETING_LEAVE:
      return demotedByServer(state);
    case FrameType.NOTIFICATION:
      return [state, [{ type: "log", level: "info", message: frame["notification"]?.message ?? "" }]];
    default:
      return [state, []];
  }
}

/**
 * @param {SessionState} state
 * @param {import("../wire/codec.js").Decoded[]} streams
 * @param {number} now
 * @returns {Result}
 */
function presence(state, streams, now) {
  const { connection } = state;
  if (!connection) return [state, []];
  const isComplete = !connection.hasRoster;
  const localAttendeeId = state.options.attendeeId;
  const [roster, changes] = applyPresence(state.roster, streams, { isComplete, localAttendeeId });
  const next = { ...state, roster, connection: { ...connection, hasRoster: true } };
  /** @type {Effect[]} */
  const effects = [{ type: "roster", changes }];
  if (isMutedByOther(next, now) === state.isMutedByOther) return [next, effects];
  const [settled, notices] = settleMute(next, now);
  return [settled, [...effects, ...notices]];
}

/**
 * @param {SessionState} state
 * @param {import("../wire/codec.js").Decoded[]} states
 * @returns {Result}
 */
function levels(state, states) {
  const [roster, changes] = applyLevels(state.roster, states);
  if (roster === state.roster) return [state, []];
  return [{ ...state, roster }, [{ type: "roster", changes }]];
}

/**
 * @param {SessionState} state
 * @param {Frame} frame
 * @param {Moment} moment
 * @returns {Result}
 */
function audioStatus(state, frame, moment) {
  const body = frame["audio_status"];
  if (!body) return fail(state, StatusCode.SignalingRequestFailed, moment);
  const code = statusOfAudioStatus(body.audio_status ?? 0);
  if (code === StatusCode.OK || code === StatusCode.AudioDisconnectAudio) return [state, []];
  return state.phase === "leaving" ? stop(state, code, moment) : fail(state, code, moment);
}

/**
 * @param {SessionState} state
 * @param {import("../wire/codec.js").Decoded[]} payloads
 * @returns {Result}
 */
function messages(state, payloads) {
  /** @type {Effect[]} */
  const effects = [];
  let seen = state.seen;
  for (const payload of payloads) {
    const message = messageOfPayload(payload);
    if (!message.throttled) {
      const [remembered, isNew] = remember(seen, payload);
      seen = remembered;
      if (!isNew) continue;
    }
    effects.push(...noticesOf(message));
  }
  return [{ ...state, seen }, effects];
}

/**
 * @param {import("../meeting/data-message.js").DataMessage} message
 * @returns {Effect[]}
 */
function noticesOf(message) {
  if (message.topic !== TRANSCRIPT_TOPIC) return [{ type: "message", message }];
  try {
    return transcriptEvents(message.data).map((event) => ({ type: "transcript", event }));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return [{ type: "log", level: "warn", message: "A transcript cannot be read." }];
  }
}
