/** The peer connection of a session: it makes the offer, takes the answer and watches the path. */

/** How long candidates are gathered, in milliseconds; what was found by then is offered. */
const GATHERS_WITHIN_MS = 5_000;

/**
 * @typedef {object} PeerEvents
 * @property {(sdp: string) => void} offered
 * @property {() => void} connected
 * @property {() => void} failed
 * @property {(broughtSomething: boolean) => void} second
 */

export class Peer {
  #connection;
  #isClosed = false;
  #received = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;

  /**
   * @param {import("../wire/codec.js").Decoded | null} turn relays of the server, if it has any
   * @param {PeerEvents} events
   */
  constructor(turn, events) {
    this.events = events;
    const uris = turn?.["uris"] ?? [];
    /** @type {RTCConfiguration} */
    const configuration = { bundlePolicy: "max-bundle" };
    if (turn && uris.length) {
      const { username, password } = turn;
      configuration.iceServers = [{ urls: uris, username, credential: password }];
      configuration.iceTransportPolicy = "relay";
    }
    this.#connection = new RTCPeerConnection(configuration);
    this.#connection.oniceconnectionstatechange = () => this.#stateChanged();
    // Audio comes first and the camera second, in every offer: their numbers do not change.
    this.#connection.addTransceiver("audio", { direction: "sendrecv" });
    this.#connection.addTransceiver("video", { direction: "inactive" });
  }

  /** Makes the offer, with all candidates in it. */
  async offer() {
    try {
      await this.#connection.setLocalDescription(await this.#connection.createOffer());
      await this.#gather();
      const sdp = this.#connection.localDescription?.sdp;
      if (sdp && !this.#isClosed) this.events.offered(sdp);
    } catch {
      this.#fail();
    }
  }

  /** @param {string} sdp the server's answer */
  async accept(sdp) {
    try {
      await this.#connection.setRemoteDescription({ type: "answer", sdp });
    } catch {
      this.#fail();
    }
  }

  /** Ends it without another word to its owner. */
  close() {
    this.#isClosed = true;
    clearInterval(this.#clock);
    this.#connection.close();
  }

  #fail() {
    if (!this.#isClosed) this.events.failed();
  }

  #stateChanged() {
    if (this.#isClosed) return;
    const state = this.#connection.iceConnectionState;
    if (state === "failed") this.events.failed();
    if (state !== "connected" && state !== "completed") return;
    this.#clock ??= setInterval(() => this.#measure(), 1_000);
    this.events.connected();
  }

  async #gather() {
    const connection = this.#connection;
    if (connection.iceGatheringState === "complete") return;
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHERS_WITHIN_MS, undefined);
      connection.onicegatheringstatechange = () => {
        if (connection.iceGatheringState !== "complete") return;
        clearTimeout(timer);
        resolve(undefined);
      };
    });
  }

  async #measure() {
    let received = 0;
    for (const report of (await this.#connection.getStats()).values()) {
      if (report.type !== "candidate-pair") continue;
      received += report.bytesReceived ?? 0;
      received += (report.requestsReceived ?? 0) + (report.responsesReceived ?? 0);
    }
    if (this.#isClosed) return;
    this.events.second(received > this.#received);
    this.#received = Math.max(received, this.#received);
  }
}
