/**
 * Which messages were received, so that what a server tells again after a reconnection is not
 * told twice. A meeting keeps at most 1,024 messages; more than these need not be remembered.
 *
 * @typedef {{ readonly keys: ReadonlySet<string> }} Seen
 */

const MOST = 1_280;

/** @type {Seen} */
export const noneSeen = Object.freeze({ keys: new Set() });

/**
 * Remembers a payload of a frame DATA_MESSAGE.
 * @param {Seen} seen
 * @param {import("../wire/codec.js").Decoded} payload
 * @returns {[Seen, boolean]} whether it is new
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
 * FNV-1a, with the length: two messages of one sender in one nanosecond are told apart by it.
 * @param {Uint8Array} data
 */
function fingerprint(data) {
  let hash = 0x811c9dc5;
  for (const byte of data) hash = Math.imul(hash ^ byte, 0x01000193);
  return `${data.length}-${hash >>> 0}`;
}
