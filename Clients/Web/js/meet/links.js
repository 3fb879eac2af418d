/** Finds links and code in chat messages: splits a text into plain parts, links and code. */

/** The beginning and the end of a block of code. */
const FENCE = "```";

/** The first line of a block of code, which may name the language of the code. */
const LANGUAGE = /^[^\S\n]*[\w+#.-]*[^\S\n]*\n/u;

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
 * Splits a message into plain parts, links and code. Code is a block between lines of three
 * backticks, or a part of a line between two backticks. Code contains no links.
 * @param {string} text
 * @returns {Part[]} the parts of the whole text, in order
 */
export function messageParts(text) {
  /** @type {Part[]} */
  const parts = [];
  let end = 0;
  let at = text.indexOf("`");
  while (at >= 0) {
    const found = blockAt(text, at) ?? inlineAt(text, at);
    if (found) {
      parts.push(...partsOf(text.slice(end, at)), { text: found.code, address: null, code: found.kind });
      end = found.end;
    }
    at = text.indexOf("`", found ? end : at + 1);
  }
  return [...parts, ...partsOf(text.slice(end))];
}

/**
 * @typedef {object} Code
 * @property {string} code
 * @property {"line" | "block"} kind
 * @property {number} end the place after the code
 */

/**
 * Returns the block of code that begins at a place. The time of the search is proportional to the
 * length of the text. A regular expression would take seconds for some hostile texts.
 * @param {string} text
 * @param {number} at
 * @returns {Code | null}
 */
function blockAt(text, at) {
  if (!text.startsWith(FENCE, at)) return null;
  const close = text.indexOf(FENCE, at + FENCE.length);
  if (close < 0) return null;
  const inside = text.slice(at + FENCE.length, close).replace(LANGUAGE, "");
  const code = inside.endsWith("\n") ? inside.slice(0, -1) : inside;
  if (!/[^\s`]/u.test(code)) return null;
  const end = close + FENCE.length;
  return { code, kind: "block", end: text[end] === "\n" ? end + 1 : end };
}

/**
 * Returns the code within a line that begins at a place.
 * @param {string} text
 * @param {number} at
 * @returns {Code | null}
 */
function inlineAt(text, at) {
  const close = text.indexOf("`", at + 1);
  const code = text.slice(at + 1, close);
  if (close < 0 || code === "" || code.includes("\n")) return null;
  return { code, kind: "line", end: close + 1 };
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
