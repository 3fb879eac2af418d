/** The WebSocket of a session: it hands over what comes, and tells once that it ended. */

/** The sub-protocol that precedes the join token, and that the server selects. */
const MARKER = "_aws_wt_session";

/** How long a socket that was told to close may take, in milliseconds. */
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
   * Opens one.
   * @param {string} url of the meeting's placement
   * @param {string} joinToken travels as a sub-protocol, so that no address has it
   * @param {SocketEvents} events
   * @param {typeof WebSocket} [Socket] what it is made with
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

  /** @param {Uint8Array} bytes a whole frame; dropped when the socket is not open */
  send(bytes) {
    if (this.#socket.readyState === 1) this.#socket.send(bytes);
  }

  /** Closes it without another word to its owner. */
  close() {
    this.events = null;
    if (this.#socket.readyState > 1) return;
    this.#socket.close();
    // A browser waits long for the other side's close; nobody listens any more, so this is all.
    setTimeout(() => (this.#socket.onmessage = null), CLOSES_WITHIN_MS);
  }

  /** @param {number} code */
  #end(code) {
    const events = this.events;
    this.events = null;
    events?.closed(code);
  }
}
