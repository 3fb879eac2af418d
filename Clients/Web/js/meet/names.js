/**
 * The names of people: how sentences contain a name, the initials of a name, and the color of a
 * name's tile.
 */

const characters = new Intl.Segmenter();

/**
 * Returns the first grapheme of the first and of the last word. An emoji of several code points is
 * one grapheme.
 * @param {string} name
 */
export function initialsOf(name) {
  const words = name.split(/[\s._-]+/).filter((word) => /[\p{L}\p{N}\p{So}]/u.test(word));
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => firstOf(word ?? "?").toLocaleUpperCase()).join("");
}

/** @param {string} word the word whose leading punctuation the function skips */
function firstOf(word) {
  const rest = word.replace(/^[^\p{L}\p{N}\p{So}]+/u, "");
  for (const { segment } of characters.segment(rest)) return segment;
  return "?";
}

/**
 * Returns the hue of a name's tile, in degrees.
 * @param {string} name
 */
export function hueOf(name) {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return hash;
}

/**
 * Isolates a name within a sentence, so that the name keeps its own writing direction.
 * @param {string} name
 */
export const isolated = (name) => `\u2068${name}\u2069`;
