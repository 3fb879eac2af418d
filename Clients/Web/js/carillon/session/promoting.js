/** Promotion from a replica's audience into the primary meeting, and demotion. */
import * as frames from "./frames.js";
import { limits } from "./state.js";
import { MeetingSessionStatus, StatusCode, statusOfError } from "./status.js";
import { refuseCamera } from "./video.js";

/**
 * @typedef {import("./state.js").SessionState} SessionState
 * @typedef {import("./state.js").Moment} Moment
 * @typedef {import("./state.js").Result} Result
 */

/** @param {number} code */
const status = (code) => new MeetingSessionStatus(code);

/**
 * Requests promotion to the primary meeting.
 * @param {SessionState} state
 * @param {import("./state.js").PrimaryCredentials} credentials
 * @param {Moment} moment
 * @returns {Result}
 */
export function promote(state, credentials, { now }) {
  if (state.phase !== "connected" || state.promotion) {
    return [state, [{ type: "promoted", status: status(StatusCode.SignalingRequestFailed) }]];
  }
  return [
    { ...state, promotion: { stage: "requested", deadline: now + limits.connectMs } },
    [{ type: "send", frame: frames.primaryMeetingJoin(credentials) }],
  ];
}

/**
 * Handles PRIMARY_MEETING_JOIN_ACK.
 * @param {SessionState} state
 * @param {number} errorStatus 0 if the server accepts the promotion
 * @returns {Result}
 */
export function promotionAnswered(state, errorStatus) {
  if (state.promotion?.stage !== "requested") return [state, []];
  if (errorStatus !== 0) {
    return [
      { ...state, promotion: null },
      [{ type: "promoted", status: status(statusOfError(errorStatus)) }],
    ];
  }
  return [
    { ...state, promotion: { stage: "promoted", deadline: Infinity } },
    [{ type: "promoted", status: status(StatusCode.OK) }],
  ];
}

/**
 * Handles a promotion request that timed out.
 * @param {SessionState} state
 * @returns {Result}
 */
export function promotionTimedOut(state) {
  return [
    { ...state, promotion: null },
    [{ type: "promoted", status: status(StatusCode.SignalingRequestFailed) }],
  ];
}

/**
 * Ends the promotion, and the camera. The server does not answer.
 * @param {SessionState} state
 * @returns {Result}
 */
export function demote(state) {
  if (state.promotion?.stage !== "promoted") return [state, []];
  const [next, notices] = refuseCamera({ ...state, promotion: null });
  return [
    next,
    [
      { type: "send", frame: frames.primaryMeetingLeave() },
      { type: "demoted", status: status(StatusCode.OK) },
      ...notices,
    ],
  ];
}

/**
 * Handles PRIMARY_MEETING_LEAVE: the server ended the promotion, and the camera.
 * @param {SessionState} state
 * @returns {Result}
 */
export function demotedByServer(state) {
  if (state.promotion?.stage !== "promoted") return [state, []];
  const removed = status(StatusCode.AudioVideoWasRemovedFromPrimaryMeeting);
  const [next, notices] = refuseCamera({ ...state, promotion: null });
  return [next, [{ type: "demoted", status: removed }, ...notices]];
}
