/** Data messages: the checks of outgoing messages and the model of received messages. */

/** The topic of transcripts. Clients cannot send on this topic. */
export const TRANSCRIPT_TOPIC = "aws:chime:transcription";

/** The largest payload of a client's message, in bytes. */
export const MOST_BYTES = 2048;

/** The longest time that a meeting keeps a message, in milliseconds. */
export const LONGEST_LIFETIME_MS = 300_000;

const topicPattern = /^[a-zA-Z0-9_-]{1,36}$/;
const lenient = new TextDecoder();

/** A message of another attendee, or a message of this client that the server throttled. */
export class DataMessage {
  /**
   * @param {object} fields
   * @param {string} fields.topic
   * @param {Uint8Array} fields.data
   * @param {string} fields.senderAttendeeId
   * @param {string} fields.senderExternalUserId
   * @param {string} [fields.senderDisplayName] the external user id if the sender has no display
   *   name
   * @param {number} fields.timestampMs the time when the server accepted the message, in
   *   milliseconds since 1970
   * @param {boolean} fields.throttled whether the server rejected this message of the client
   */
  constructor({
    topic,
    data,
    senderAttendeeId,
    senderExternalUserId,
    senderDisplayName = senderExternalUserId,
    timestampMs,
    throttled,
  }) {
    this.topic = topic;
    this.data = data;
    this.senderAttendeeId = senderAttendeeId;
    this.senderExternalUserId = senderExternalUserId;
    this.senderDisplayName = senderDisplayName;
    this.timestampMs = timestampMs;
    this.throttled = throttled;
  }

  /** Returns the data as UTF-8 text. Invalid sequences become U+FFFD. */
  text() {
    return lenient.decode(this.data);
  }

  /**
   * Returns the data parsed as JSON.
   * @returns {any} `null` when the data is not JSON
   */
  json() {
    try {
      return JSON.parse(this.text());
    } catch {
      return null;
    }
  }
}

/**
 * Returns the message of one payload of a DATA_MESSAGE frame.
 * @param {import("../wire/codec.js").Decoded} payload
 */
export function messageOfPayload(payload) {
  /** @type {bigint} */
  const ingestNs = payload["ingest_time_ns"] ?? 0n;
  const senderExternalUserId = payload["sender_external_user_id"] || payload["sender_attendee_id"] || "";
  return new DataMessage({
    topic: payload["topic"] ?? "",
    data: payload["data"] ?? new Uint8Array(),
    senderAttendeeId: payload["sender_attendee_id"] ?? "",
    senderExternalUserId,
    senderDisplayName: payload["sender_display_name"] || senderExternalUserId,
    timestampMs: Number(ingestNs / 1_000_000n),
    throttled: ingestNs === 0n,
  });
}

/** The error for a message that the client cannot send. */
export class SendDataMessageError extends Error {
  /** @param {"negativeLifetimeParameter" | "invalidTopic" | "invalidData" | "invalidDataLength"} reason */
  constructor(reason) {
    super(reason);
    this.name = "SendDataMessageError";
    this.reason = reason;
  }
}

/**
 * Validates a message to send. The checks run in the same order as in the original SDK.
 * @param {string} topic
 * @param {unknown} data a string, bytes, or an array or object that the session sends as JSON
 * @param {number} lifetimeMs
 * @returns {import("../session/state.js").OutgoingMessage}
 * @throws {SendDataMessageError}
 */
export function outgoingMessage(topic, data, lifetimeMs) {
  if (!(lifetimeMs >= 0)) throw new SendDataMessageError("negativeLifetimeParameter");
  if (!topicPattern.test(topic)) throw new SendDataMessageError("invalidTopic");
  const bytes = bytesOf(data);
  if (bytes.length > MOST_BYTES) throw new SendDataMessageError("invalidDataLength");
  return { topic, data: bytes, lifetimeMs: Math.min(LONGEST_LIFETIME_MS, Math.trunc(lifetimeMs)) };
}

/** @param {unknown} data */
function bytesOf(data) {
  if (data instanceof Uint8Array) return data.slice();
  if (typeof data === "string") return new TextEncoder().encode(data);
  if (typeof data === "object" && data !== null) return new TextEncoder().encode(JSON.stringify(data));
  throw new SendDataMessageError("invalidData");
}
