/**
 * The set of received messages. With this set, the session drops the duplicates that the server
 * sends after a reconnection. A meeting keeps at most 1,024 messages, so the set has a bounded
 * size.
 *
 * @typedef {{ readonly keys: ReadonlySet<string> }} Seen
 */

const MOST = 1_280;

/** @type {Seen} */
export const noneSeen = Object.freeze({ keys: new Set() });

/**
 * Remembers one payload of a DATA_MESSAGE frame.
 * @param {Seen} seen
 * @param {import("../wire/codec.js").Decoded} payload
 * @returns {[Seen, boolean]} the set with the message, and whether the message is new
 */
export function remember(seen, payload) {
  const key = [
    payload["ingest_time_ns"] ?? 0n,
    payload["sender_attendee_id"] ?? "",
    payload["topic"] ?? "",
    fingerprint(payload["data"] ?? new Uint8Array()),
  ].join(" ");
  if (seen.keys.has(key)) return [seen, false];
  const keys = new Set(seen.keys);
  keys.add(key);
  for (const oldest of keys) {
    if (keys.size <= MOST) break;
    keys.delete(oldest);
  }
  return [{ keys }, true];
}

/**
 * Returns the length and the FNV-1a hash of the data. Length and hash distinguish two messages that
 * one sender sent in the same nanosecond on one topic.
 * @param {Uint8Array} data
 */
function fingerprint(data) {
  let hash = 0x811c9dc5;
  for (const byte of data) hash = Math.imul(hash ^ byte, 0x01000193);
  return `${data.length}-${hash >>> 0}`;
}
