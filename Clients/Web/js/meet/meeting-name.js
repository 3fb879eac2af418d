/** Names of meetings: in links, in what people type, and made up. */

/**
 * The meeting that an address leads to.
 * @param {URL | Location} address
 * @returns {string} empty where it leads to none
 */
export function meetingOfAddress(address) {
  const fragment = decode(address.hash.replace(/^#\/?/, ""));
  return fragment || (new URLSearchParams(address.search).get("meeting") ?? "").trim();
}

/**
 * The meeting that somebody means who typed a name, an id, or a link.
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
 * The link to a meeting.
 * @param {Location} page
 * @param {string} meeting
 */
export const linkTo = (page, meeting) => `${page.origin}${page.pathname}#${encodeURIComponent(meeting)}`;

const adjectives = ["amber", "brass", "calm", "clear", "early", "gentle", "golden", "green", "quiet", "silver"];
const nouns = ["belfry", "bell", "chime", "cloister", "courtyard", "harbour", "lantern", "orchard", "steeple", "tower"];

/** Characters that are not taken for each other, 32 of them. */
const characters = "23456789abcdefghijkmnpqrstuvwxyz";

/** A name for a new meeting that nobody guesses: whoever knows it may join. */
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
