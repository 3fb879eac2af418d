/**
 * The wire format of frames: one byte, then an `SdkSignalFrame`, in one binary WebSocket message.
 *
 * @typedef {import("./codec.js").Decoded & { type: number, timestamp_ms: bigint }} Frame
 */
import { decode, encode } from "./codec.js";
import { DecodeError } from "./reader.js";

/**
 * The byte that browsers send before a frame. Servers send 0x02 instead. Receivers ignore the byte.
 */
const FROM_BROWSER = 0x05;

/**
 * Encodes a frame that this client sends.
 * @param {import("./codec.js").Decoded & { type: number }} frame a frame without its timestamp
 * @param {number} nowMs the wall clock, in milliseconds since 1970
 * @returns {Uint8Array}
 */
export function encodeFrame(frame, nowMs) {
  const body = encode("SdkSignalFrame", { timestamp_ms: Math.trunc(nowMs), ...frame });
  const bytes = new Uint8Array(body.length + 1);
  bytes[0] = FROM_BROWSER;
  bytes.set(body, 1);
  return bytes;
}

/**
 * Decodes a frame of the server.
 * @param {Uint8Array} bytes a whole message of the socket
 * @returns {Frame}
 * @throws {DecodeError} when the bytes are no frame, or when the frame has no timestamp or no type
 */
export function decodeFrame(bytes) {
  if (bytes.length < 2) throw new DecodeError("A frame has at least two bytes.");
  const frame = decode("SdkSignalFrame", bytes.subarray(1));
  if (frame["timestamp_ms"] === undefined) throw new DecodeError("A frame without its time.");
  if (frame["type"] === undefined) throw new DecodeError("A frame without its type.");
  return /** @type {Frame} */ (frame);
}
