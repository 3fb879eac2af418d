/** What the unit tests share. */
import { reduce, nextDeadline } from "../../../Clients/Web/js/carillon/session/reduce.js";
import { initialState } from "../../../Clients/Web/js/carillon/session/state.js";

/** @param {string} hex */
export const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {Uint8Array} bytes */
export const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export const ME = "attendee-ada";

/** A session without socket, clock or page: inputs go in, effects are looked at. */
export class Bench {
  now = 1_000;
  random = 0.5;
  effects = [];

  constructor(options = {}) {
    this.state = initialState({
      attendeeId: ME,
      externalUserId: "ada",
      audioHost: "audio.example",
      audioSessionId: 7,
      clientDetails: {},
      media: "required",
      isMuted: false,
      ...options,
    });
  }

  /** Takes an input; the effects that it has. */
  take(input) {
    const [state, effects] = reduce(this.state, input, { now: this.now, random: this.random });
    this.state = state;
    this.effects.push(...effects);
    return effects;
  }

  /** Takes something that happened to the current connection. */
  happens(type, fields = {}) {
    return this.take({ type, connection: this.state.connection?.number ?? -1, ...fields });
  }

  /** Takes a frame of the server. */
  hears(type, fields = {}) {
    const frame = { timestamp_ms: BigInt(this.now), type, ...fields };
    return this.happens("frame", { frame, wallMs: this.now });
  }

  /** Lets time pass, with a tick at each deadline. */
  pass(milliseconds) {
    const end = this.now + milliseconds;
    const effects = [];
    for (let due = nextDeadline(this.state); due !== null && due <= end; due = nextDeadline(this.state)) {
      this.now = Math.max(this.now, due);
      effects.push(...this.take({ type: "tick" }));
    }
    this.now = end;
    return effects;
  }

  /** Joins up to the point where everything is ready. */
  join({ reconnecting = false } = {}) {
    if (!reconnecting) this.take({ type: "start" });
    this.happens("socketOpened");
    this.hears(2, { joinack: {} });
    this.hears(5, { index: {} });
    this.happens("offer", { sdp: OFFER });
    this.hears(4, { suback: { sdp_answer: "v=0" } });
    return this.happens("peerConnected");
  }

  /** The frames among the effects, by their types. */
  static sent(effects) {
    return effects.filter(({ type }) => type === "send").map(({ frame }) => frame);
  }

  /** The kinds of the effects. */
  static kinds(effects) {
    return effects.map(({ type }) => type);
  }
}

export const OFFER = "v=0\r\nm=audio 9 X 0\r\nm=video 9 X 0\r\n";
