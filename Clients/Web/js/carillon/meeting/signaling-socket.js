/**
 * The WebSocket of a session. The socket passes on received messages, and reports its close once.
 */

/**
 * The subprotocol that the client lists before the join token. The server selects this subprotocol.
 */
const MARKER = "_aws_wt_session";

/** How long a closing socket may still deliver messages, in milliseconds. */
const CLOSES_WITHIN_MS = 2_000;

/**
 * @typedef {object} SocketEvents
 * @property {() => void} opened
 * @property {(bytes: Uint8Array) => void} received
 * @property {(code: number) => void} closed
 */

export class SignalingSocket {
  #socket;

  /**
   * Opens the socket.
   * @param {string} url the URL in the meeting's placement
   * @param {string} joinToken the join token, sent as a subprotocol, so that no URL contains it
   * @param {SocketEvents} events
   * @param {typeof WebSocket} [Socket] the WebSocket class to use
   */
  constructor(url, joinToken, events, Socket = WebSocket) {
    this.events = /** @type {SocketEvents | null} */ (events);
    const query = "?X-Chime-Control-Protocol-Version=3&X-Amzn-Chime-Send-Close-On-Error=1";
    this.#socket = new Socket(url + query, [MARKER, joinToken]);
    this.#socket.binaryType = "arraybuffer";
    this.#socket.onopen = () => this.events?.opened();
    this.#socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) this.events?.received(new Uint8Array(data));
    };
    this.#socket.onclose = ({ code }) => this.#end(code);
  }

  /**
   * @param {Uint8Array} bytes a whole frame; if the socket is not open, this method drops the frame
   */
  send(bytes) {
    if (this.#socket.readyState === 1) this.#socket.send(bytes);
  }

  /** Closes the socket. The socket emits no further events. */
  close() {
    this.events = null;
    if (this.#socket.readyState > 1) return;
    this.#socket.close();
    // A browser may wait long for the peer's close frame. The session ignores messages that arrive
    // during this wait, so remove the handler.
    setTimeout(() => (this.#socket.onmessage = null), CLOSES_WITHIN_MS);
  }

  /** @param {number} code */
  #end(code) {
    const events = this.events;
    this.events = null;
    events?.closed(code);
  }
}
