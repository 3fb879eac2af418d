/** The page's browser storage: choices for all visits, and a tab's session over a reload. */

/**
 * @typedef {"name" | "layout" | "own-picture" | "single-keys" | "pictures" | "caption-size" | "language"} RoomPreference
 * @typedef {`${"speak" | "sound"}-${"joins" | "hands" | "chat"}`} NewsPreference
 * @typedef {"microphone" | "speaker" | "camera" | "join-muted"} DevicePreference
 * @typedef {RoomPreference | NewsPreference | DevicePreference} Preference
 */

/**
 * Returns a stored choice.
 * @param {Preference} name
 * @returns {string} empty if nothing is stored
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
    // Without storage, the user chooses again.
  }
}

/**
 * The session that a tab keeps over a reload, to rejoin as the same attendee. It is stored only
 * while no page is loaded, so that a duplicated tab does not replace the original's session.
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
    // Without storage, a reload joins as a new attendee.
  }
}

/**
 * Returns the stored session and removes it.
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
