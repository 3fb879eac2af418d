/** Meeting names: parsed from links and typed text, or generated. */

/** The host token in a host's link. */
const HOST = /&host=([\w-]+)$/;

/** @param {URL | Location} address */
export const hostTokenOfAddress = (address) => HOST.exec(address.hash)?.[1] ?? "";

/**
 * Returns the meeting that a URL names.
 * @param {URL | Location} address
 * @returns {string} empty if the URL names no meeting
 */
export function meetingOfAddress(address) {
  const fragment = decode(address.hash.replace(/^#\/?/, "").replace(HOST, ""));
  return fragment || (new URLSearchParams(address.search).get("meeting") ?? "").trim();
}

/**
 * Returns the meeting for typed text: a name, an id or a link.
 * @param {string} text
 */
export function meetingOfText(text) {
  const typed = text.trim();
  if (!/^https?:\/\//i.test(typed)) return typed;
  try {
    return meetingOfAddress(new URL(typed));
  } catch {
    return typed;
  }
}

/**
 * Returns the link to a meeting. From an embedded page, the link opens the whole page.
 * @param {Location} page
 * @param {string} meeting
 */
export const linkTo = (page, meeting) => `${page.origin}${page.pathname === "/embed" ? "/" : page.pathname}#${encodeURIComponent(meeting)}`;

const adjectives = ["amber", "brass", "calm", "clear", "early", "gentle", "golden", "green", "quiet", "silver"];
const nouns = ["belfry", "bell", "chime", "cloister", "courtyard", "harbour", "lantern", "orchard", "steeple", "tower"];

/** 32 characters that readers do not easily confuse. */
const characters = "23456789abcdefghijkmnpqrstuvwxyz";

/**
 * Returns a new random meeting name. Anyone who knows the name may join, so nobody must be able to
 * guess it.
 */
export function newMeetingName() {
  const random = crypto.getRandomValues(new Uint32Array(12));
  const pick = (/** @type {string[] | string} */ list, /** @type {number} */ at) => list[(random[at] ?? 0) % list.length];
  const rest = Array.from({ length: 10 }, (_, at) => pick(characters, at + 2));
  return `${pick(adjectives, 0)}-${pick(nouns, 1)}-${rest.join("")}`;
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return text.trim();
  }
}
