/**
 * The held peer connection. When the signaling connection of a session breaks, the session keeps
 * the peer connection until the session is connected again, until the peer connection brings no
 * sound any more, or until the session stops.
 */

/**
 * @typedef {import("./state.js").SessionState} SessionState
 * @typedef {import("./state.js").Effect} Effect
 * @typedef {import("./state.js").Result} Result
 */

/**
 * Ends the current connection. The session holds the peer connection if the peer connection brings
 * sound, and closes the peer connection otherwise.
 * @param {SessionState} state
 * @returns {Result}
 */
export function holdOrClosePeer(state) {
  const { connection } = state;
  const isReady = connection?.step === "ready" && connection.media === "connected";
  if (!isReady || connection.emptySeconds > 0) return [state, [{ type: "closePeer" }]];
  const video = { ...state.video, areReceptionsKept: true };
  return [{ ...state, held: connection.number, video }, [{ type: "holdPeer" }]];
}

/**
 * Closes the held peer connection, if there is one.
 * @param {SessionState} state
 * @returns {Result}
 */
export function releasePeer(state) {
  return state.held === null ? [state, []] : [{ ...state, held: null }, [{ type: "releasePeer" }]];
}

/**
 * Handles an input of an earlier connection. The session ignores the input, unless the input says
 * that the held peer connection brings no sound any more.
 * @param {SessionState} state
 * @param {import("./state.js").Input & { connection: number }} input
 * @returns {Result}
 */
export function earlier(state, input) {
  // `media` sends a packet of the mix every 20 ms, so the sound has ended if no packet arrives for
  // a second.
  const isOver = input.type === "peerFailed" || (input.type === "mediaSecond" && !input.broughtSomething);
  if (input.connection !== state.held || !isOver) return [state, []];
  const [next, effects] = releasePeer({ ...state, video: { ...state.video, areReceptionsKept: false } });
  return [next, [...effects, { type: "soundLost" }]];
}
