/** Our microphone: what we say of it, and what the server says. */
import * as frames from "./frames.js";
import { limits } from "./state.js";

/**
 * @typedef {import("./state.js").SessionState} SessionState
 * @typedef {import("./state.js").Result} Result
 */

/**
 * Closes or opens the microphone.
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
 * Whether the server's word on our microphone differs from ours, and not because it is older.
 * @param {SessionState} state
 * @param {number} now
 */
export function isMutedByOther(state, now) {
  const told = state.roster.attendees.get(state.options.attendeeId)?.isMuted ?? false;
  return told && !state.isMuted && now >= state.muteSettlesAt;
}

/**
 * Finds out anew whether somebody else closed the microphone.
 * @param {SessionState} state
 * @param {number} now
 * @returns {Result}
 */
export function settleMute(state, now) {
  const isByOther = isMutedByOther(state, now);
  return [{ ...state, isMutedByOther: isByOther }, [{ type: "localMuteChanged" }]];
}
