/** Determines why a microphone or a camera does not open. */

/**
 * @typedef {"waiting" | "blocked" | "busy" | "missing" | "insecure" | "framed"} Refusal
 *
 * @typedef {object} Place the security context of the page
 * @property {boolean} isSecure whether the page comes over HTTPS or from localhost
 * @property {boolean} mayAsk whether the embedding pages permit this page to request the device
 */

const REFUSED = new Set(["NotAllowedError", "SecurityError"]);
const MISSING = new Set(["NotFoundError", "OverconstrainedError", "DevicesNotFoundError"]);

/**
 * @param {unknown} error an error from the browser
 * @param {Place} place
 * @returns {Refusal}
 */
export function refusalOf(error, { isSecure, mayAsk }) {
  if (!isSecure) return "insecure";
  const name = error instanceof Error ? error.name : "";
  if (REFUSED.has(name)) return mayAsk ? "blocked" : "framed";
  return MISSING.has(name) ? "missing" : "busy";
}

/**
 * Returns the security context of this page.
 * @param {"microphone" | "camera"} feature
 * @returns {Place}
 */
export function placeOf(feature) {
  const policy = /** @type {any} */ (document).featurePolicy;
  const isAlone = window === window.top;
  // If the browser has no policy API, assume that an embedding page blocks the device.
  const mayAsk = policy ? policy.allowsFeature(feature) : isAlone;
  return { isSecure: isSecureContext && Boolean(navigator.mediaDevices), mayAsk };
}
