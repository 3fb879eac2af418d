/** What a session does after the browser stopped the page for a while, as browsers do with hidden tabs. */
import { fail } from "./ending.js";
import { probe } from "./keep-alive.js";
import { limits } from "./state.js";
import { StatusCode } from "./status.js";

/**
 * Returns by how many milliseconds the session missed its next ping or its next attempt to connect;
 * 0 if the session missed neither.
 * @param {import("./state.js").SessionState} state
 * @param {number} now
 * @returns {number}
 */
export function latenessOf({ phase, connection, outage }, now) {
  if (phase === "waiting" && outage) return Math.max(0, now - outage.retryAt);
  if (!connection || (phase !== "connecting" && phase !== "connected")) return 0;
  const due = connection.step === "ready" ? Infinity : connection.deadline;
  return Math.max(0, now - Math.min(due, connection.nextPingAt));
}

/**
 * Continues a session after a stop of the page. The time of the stop does not count against the
 * time for reconnections, because the session made no attempt in this time.
 *
 * The server has probably ended the connection. A connected session probes the connection and does
 * not end the connection immediately: the browser may still hold the server's close frame, whose
 * code says why the server ended the connection.
 * @param {import("./state.js").SessionState} state
 * @param {number} stoppedMs the duration of the stop
 * @param {import("./state.js").Moment} moment
 * @returns {import("./state.js").Result}
 */
export function wake(state, stoppedMs, moment) {
  const { now } = moment;
  const { outage, connection } = state;
  /** @type {import("./state.js").SessionState} */
  const awake = {
    ...state,
    lastActive: state.lastActive + stoppedMs,
    wokeAt: now,
    outage: outage && {
      firstAttemptAt: outage.firstAttemptAt + stoppedMs,
      failures: 0,
      retryAt: Math.max(outage.retryAt, now),
    },
  };
  if (state.phase === "connecting") return fail(awake, StatusCode.ConnectionHealthReconnect, moment);
  if (state.phase !== "connected" || !connection) return [awake, []];
  const ready = { ...awake, connection: { ...connection, probeDeadline: null, missedPongs: 0, isPingOutstanding: false } };
  return probe(ready, moment, limits.wakeProbeMs);
}
