/** The search for names in lists. */

/**
 * Returns whether a name contains the searched text. Case and accents do not matter.
 * @param {string} name
 * @param {string} search
 */
export const isFound = (name, search) => plain(name).includes(plain(search.trim()));

/** @param {string} text */
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();
