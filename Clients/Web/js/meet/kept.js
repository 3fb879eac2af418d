/** What the browser keeps for the page: choices for all visits, and a tab's session over a reload. */

/**
 * @typedef {"name" | "layout" | "own-picture" | "single-keys"} RoomPreference
 * @typedef {"microphone" | "speaker" | "camera" | "join-muted"} DevicePreference
 * @typedef {RoomPreference | DevicePreference} Preference
 * * @param {Preference} name
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

/**
 * What a tab keeps over a reload, so that it comes back as the same attendee. It is stored only
 * while no page is there, so that a copy of a tab does not take the original's place.
 *
 * @typedef {{ meeting: any, attendee: any, own: { text: string, timestampMs: number }[] }} Kept
 */

const KEY = "carillon.session";

/**
 * Stores a session as the page goes.
 * @param {Kept} kept
 */
export function keep(kept) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Without storage a reload joins anew.
  }
}

/**
 * Takes what was stored, once.
 * @returns {Kept | null}
 */
export function takeKept() {
  try {
    const stored = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return stored ? JSON.parse(stored) : null;
  } catch {
    return null;
  }
}
