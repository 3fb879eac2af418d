/** Names of people: in sentences, and where a tile has no room for them. */

const characters = new Intl.Segmenter();

/**
 * The first characters of the first and the last word, as readers count characters: an emoji of several
 * code points is one.
 * @param {string} name
 */
export function initialsOf(name) {
  const words = name.split(/[\s._-]+/).filter((word) => /[\p{L}\p{N}\p{So}]/u.test(word));
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => firstOf(word ?? "?").toLocaleUpperCase()).join("");
}

/** @param {string} word of which brackets and the like before the first letter do not count */
function firstOf(word) {
  const rest = word.replace(/^[^\p{L}\p{N}\p{So}]+/u, "");
  for (const { segment } of characters.segment(rest)) return segment;
  return "?";
}

/**
 * The hue of a name's tile, in degrees.
 * @param {string} name
 */
export function hueOf(name) {
  let hash = 7;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return hash;
}

/**
 * A name within a sentence, whose direction of writing stays its own.
 * @param {string} name
 */
export const isolated = (name) => `\u2068${name}\u2069`;
