/** Finds links in chat messages: splits a text into plain parts and links. */

/**
 * The pattern of a link. An address with another scheme, such as `javascript:`, stays plain text.
 */
const ADDRESS = /\b(?:https?:\/\/|mailto:)[^\s<>"'`{}|\\^\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028-\u202e\u2060-\u2069]+/giu;

/** Punctuation that belongs to the sentence, not to the link before it. */
const TRAILING = /[.,;:!?…]+$/u;

/** @typedef {{ text: string, address: string | null }} Part */

/**
 * @param {string} text
 * @returns {Part[]} the parts of the whole text, in order
 */
export function partsOf(text) {
  /** @type {Part[]} */
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const { 0: found = "", index = 0 } = match;
    const written = trimmed(found);
    const address = addressOf(written);
    if (!address) continue;
    if (index > end) parts.push({ text: text.slice(end, index), address: null });
    parts.push({ text: written, address });
    end = index + written.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), address: null });
  return parts;
}

/**
 * @param {string} written a link, and the punctuation after the link
 * @returns {string}
 */
function trimmed(written) {
  const rest = written.replace(TRAILING, "");
  const isOpen = rest.includes("(");
  return rest.endsWith(")") && !isOpen ? trimmed(rest.slice(0, -1)) : rest;
}

/** @param {string} written */
function addressOf(written) {
  try {
    const url = new URL(written);
    const isWhole = url.protocol === "mailto:" ? url.pathname.includes("@") : url.hostname !== "";
    return ["http:", "https:", "mailto:"].includes(url.protocol) && isWhole ? url.href : null;
  } catch {
    return null;
  }
}
