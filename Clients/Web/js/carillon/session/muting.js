/**
 * The mute state of the local microphone: the state that the client set, and the state that the
 * server reports.
 */
import * as frames from "./frames.js";
import { limits } from "./state.js";

/**
 * @typedef {import("./state.js").SessionState} SessionState
 * @typedef {import("./state.js").Result} Result
 */

/**
 * Mutes or unmutes the microphone.
 * @param {SessionState} state
 * @param {boolean} isMuted
 * @param {import("./state.js").Moment} moment
 * @returns {Result}
 */
export function mute(state, isMuted, { now }) {
  const next = { ...state, isMuted, muteSettlesAt: now + limits.muteSettlesMs };
  const [settled, notices] = settleMute(next, now);
  if (state.phase !== "connected") return [settled, notices];
  return [settled, [{ type: "send", frame: frames.audioControl(isMuted) }, ...notices]];
}

/**
 * Returns whether the server reports the microphone as muted although the client did not mute it.
 * The function ignores a report that arrives within `limits.muteSettlesMs` after the client's own
 * change, because the report may be stale.
 * @param {SessionState} state
 * @param {number} now
 */
export function isMutedByOther(state, now) {
  const told = state.roster.attendees.get(state.options.attendeeId)?.isMuted ?? false;
  return told && !state.isMuted && now >= state.muteSettlesAt;
}

/**
 * Updates whether the server, not this client, muted the microphone.
 * @param {SessionState} state
 * @param {number} now
 * @returns {Result}
 */
export function settleMute(state, now) {
  const isByOther = isMutedByOther(state, now);
  return [{ ...state, isMutedByOther: isByOther }, [{ type: "localMuteChanged" }]];
}
