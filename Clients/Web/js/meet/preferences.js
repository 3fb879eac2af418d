/** What a browser keeps of a person's choices. Where it keeps nothing, each visit begins anew. */

/**
 * @typedef {"name" | "layout" | "own-picture" | "single-keys"} Preference
 * @param {Preference} name
 * @returns {string} empty without one
 */
export function preference(name) {
  try {
    return localStorage.getItem(`carillon.${name}`) ?? "";
  } catch {
    return "";
  }
}

/**
 * @param {Preference} name
 * @param {string} value
 */
export function prefer(name, value) {
  try {
    localStorage.setItem(`carillon.${name}`, value);
  } catch {
    // Without storage it is chosen again.
  }
}
