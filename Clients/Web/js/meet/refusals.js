/** Why a microphone or a camera does not open: a decision without a page. */

/**
 * @typedef {keyof typeof import("./words/devices.js").refusals} Refusal
 *
 * @typedef {object} Place where the page stands
 * @property {boolean} isSecure whether it came over HTTPS or from this machine
 * @property {boolean} mayAsk whether the pages around it let it ask for the device
 */

const REFUSED = new Set(["NotAllowedError", "SecurityError"]);
const MISSING = new Set(["NotFoundError", "OverconstrainedError", "DevicesNotFoundError"]);

/**
 * @param {unknown} error of the browser
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
 * Where this page stands.
 * @param {"microphone" | "camera"} feature
 * @returns {Place}
 */
export function placeOf(feature) {
  const policy = /** @type {any} */ (document).featurePolicy;
  const isAlone = window === window.top;
  // Without a way to ask, a page in a frame is most likely refused by the frame.
  const mayAsk = policy ? policy.allowsFeature(feature) : isAlone;
  return { isSecure: isSecureContext && Boolean(navigator.mediaDevices), mayAsk };
}
