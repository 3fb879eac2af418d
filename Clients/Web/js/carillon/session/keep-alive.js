/** Keep-alive: sends pings, counts pongs and detects lost connections. */
import * as frames from "./frames.js";
import { fail } from "./ending.js";
import { limits } from "./state.js";
import { StatusCode } from "./status.js";

/**
 * @typedef {import("./state.js").SessionState} SessionState
 * @typedef {import("./state.js").Connection} Connection
 * @typedef {import("./state.js").Effect} Effect
 * @typedef {import("./state.js").Moment} Moment
 * @typedef {import("./state.js").Result} Result
 */

/**
 * Returns the ping to send when the socket opens.
 * @param {Connection} connection
 * @param {Moment} moment
 * @returns {[Connection, Effect]}
 */
export const firstPing = (connection, { now }) => nextPing(connection, now);

/**
 * @param {Connection} connection
 * @param {number} now
 * @returns {[Connection, Effect]}
 */
function nextPing(connection, now) {
  const pingId = (connection.pingId + 1) >>> 0;
  return [
    { ...connection, pingId, isPingOutstanding: true, nextPingAt: now + limits.pingMs },
    { type: "send", frame: frames.ping(pingId) },
  ];
}

/**
 * Returns the times of a connection's next ping and probe deadline.
 * @param {Connection} connection
 * @returns {number[]}
 */
export const nextKeepAliveAt = (connection) =>
  [connection.nextPingAt, connection.probeDeadline ?? Infinity].filter(Number.isFinite);

/**
 * Sends a ping if it is time for a ping. Ends the connection if the deadline of a probe has passed
 * or if too many pongs are missing.
 * @param {SessionState} state
 * @param {Connection} connection the connection in the state
 * @param {Moment} moment
 * @returns {Result}
 */
export function keepAlive(state, connection, moment) {
  const { now } = moment;
  if (connection.probeDeadline !== null && now >= connection.probeDeadline) {
    return fail(state, StatusCode.ConnectionHealthReconnect, moment);
  }
  if (now < connection.nextPingAt) return [state, []];
  const missedPongs = connection.missedPongs + (connection.isPingOutstanding ? 1 : 0);
  const isSettled = now - connection.openedAt >= limits.settlingMs;
  if (missedPongs >= limits.missedPongs && isSettled) {
    return fail(state, StatusCode.ConnectionHealthReconnect, moment);
  }
  const [pinging, ping] = nextPing({ ...connection, missedPongs }, now);
  return [{ ...state, connection: pinging }, [ping]];
}

/**
 * Probes the connection: sends a ping immediately. A frame must arrive within `withinMs`.
 * @param {SessionState} state
 * @param {Moment} moment
 * @param {number} [withinMs]
 * @returns {Result}
 */
export function probe(state, { now }, withinMs = limits.probeMs) {
  const { connection } = state;
  if (!connection || connection.probeDeadline !== null) return [state, []];
  const [pinging, ping] = nextPing({ ...connection, probeDeadline: now + withinMs }, now);
  return [{ ...state, connection: pinging }, [ping]];
}

/**
 * Handles PING_PONG: answers a ping; a pong resets the count of missed pongs.
 * @param {SessionState} state
 * @param {import("../wire/codec.js").Decoded} pingPong
 * @param {boolean} isPing
 * @param {number} now
 * @returns {Result}
 */
export function pingPong(state, pingPong, isPing, now) {
  const { connection } = state;
  if (!connection) return [state, []];
  if (isPing) return [state, [{ type: "send", frame: frames.pong(pingPong["ping_id"] ?? 0) }]];
  if (pingPong["ping_id"] !== connection.pingId) return [state, []];
  return [
    {
      ...state,
      lastActive: now,
      connection: { ...connection, isPingOutstanding: false, missedPongs: 0 },
    },
    [],
  ];
}
