/**
 * The page's storage in the browser. The page stores the user's choices for all visits, and the
 * session of a tab while the tab reloads.
 */

/**
 * @typedef {"name" | "layout" | "own-picture" | "single-keys" | "pictures" | "caption-size" | "language"} RoomPreference
 * @typedef {`${"speak" | "sound"}-${import("./choices.js").NewsKind}`} NewsPreference
 * @typedef {"microphone" | "speaker" | "camera" | "join-muted"} DevicePreference
 * @typedef {RoomPreference | NewsPreference | DevicePreference} Preference
 */

/**
 * Returns a stored choice.
 * @param {Preference} name
 * @returns {string} empty if the storage contains no value
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
    // If the browser has no storage, the user must make the choice again at the next visit.
  }
}

/**
 * The session of a tab. The page stores the session while the tab reloads, and then joins as the
 * same attendee. While a page is open, the storage contains no session, so a duplicate of the tab
 * does not take over the session of the original tab.
 *
 * @typedef {{ meeting: any, attendee: any, hostToken?: string | undefined, own: { text: string, timestampMs: number }[], isHeard: boolean }} Kept
 */

const KEY = "carillon.session";

/**
 * Stores a session when the page unloads.
 * @param {Kept} kept
 */
export function keep(kept) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // If the browser has no storage, the page joins as a new attendee after a reload.
  }
}

/**
 * Returns the stored session and removes it from the storage.
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
