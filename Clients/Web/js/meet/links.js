/** Finds links and code in chat messages: splits a text into plain parts, links and code. */

/**
 * The pattern of code: a block between lines of three backticks, or a part of a line between two
 * backticks. The first line of a block may name the language of the code.
 */
const CODE = /```(?:[^\S\n]*[\w+#.-]*[^\S\n]*\n)?([\s\S]*?[^\s`][\s\S]*?)\n?```\n?|`([^`\n]+)`/gu;

/**
 * The pattern of a link. An address with another scheme, such as `javascript:`, stays plain text.
 */
const ADDRESS = /\b(?:https?:\/\/|mailto:)[^\s<>"'`{}|\\^\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028-\u202e\u2060-\u2069]+/giu;

/** Punctuation that belongs to the sentence, not to the link before it. */
const TRAILING = /[.,;:!?…]+$/u;

/**
 * @typedef {object} Part
 * @property {string} text the text of the part, without backticks
 * @property {string | null} address the address of a link
 * @property {"line" | "block"} [code] whether the part is code within a line, or a block of code
 */

/**
 * Splits a message into plain parts, links and code. Code contains no links.
 * @param {string} text
 * @returns {Part[]} the parts of the whole text, in order
 */
export function messageParts(text) {
  /** @type {Part[]} */
  const parts = [];
  let end = 0;
  for (const { 0: found = "", 1: block, 2: line = "", index = 0 } of text.matchAll(CODE)) {
    parts.push(...partsOf(text.slice(end, index)));
    parts.push({ text: block ?? line, address: null, code: block === undefined ? "line" : "block" });
    end = index + found.length;
  }
  return [...parts, ...partsOf(text.slice(end))];
}

/**
 * Splits a text without code into plain parts and links.
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
