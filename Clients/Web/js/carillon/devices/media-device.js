/**
 * Microphones and speakers as the facade has them, from what a browser says of them.
 *
 * @typedef {"audioinput" | "audiooutput"} AudioDeviceKind
 * @typedef {"audioBluetooth" | "audioWiredHeadset" | "audioBuiltInSpeaker" | "audioHandset" | "other"} MediaDeviceType
 *
 * @typedef {object} MediaDevice
 * @property {string} label the name that people read
 * @property {MediaDeviceType} type
 * @property {AudioDeviceKind} kind whether it is a microphone or a speaker
 * @property {string} port the browser's id of the device; empty before the user gave permission
 */

/** Parts of labels that name a type of device, the first match counts. */
const TYPES = /** @type {const} */ ([
  [/bluetooth|airpods|hands-?free/i, "audioBluetooth"],
  [/headset|headphone|earphone/i, "audioWiredHeadset"],
  [/handset|earpiece/i, "audioHandset"],
]);

/**
 * The type of a device. A browser has only its label to judge by.
 * @param {string} label
 * @param {AudioDeviceKind} kind
 * @returns {MediaDeviceType}
 */
export function deviceTypeOf(label, kind) {
  const known = TYPES.find(([pattern]) => pattern.test(label))?.[1];
  if (known) return known;
  return kind === "audiooutput" && /speaker/i.test(label) ? "audioBuiltInSpeaker" : "other";
}

const NAMES = Object.freeze({ audioinput: "Microphone", audiooutput: "Speaker" });

/**
 * The audio devices of a browser in its order. A device without a label gets its kind and number.
 * @param {readonly { kind: string, label: string, deviceId: string }[]} infos
 * @returns {MediaDevice[]}
 */
export function audioDevicesOf(infos) {
  return [...ofKind(infos, "audioinput"), ...ofKind(infos, "audiooutput")];
}

/**
 * @param {readonly { kind: string, label: string, deviceId: string }[]} infos
 * @param {AudioDeviceKind} kind
 * @returns {MediaDevice[]}
 */
const ofKind = (infos, kind) =>
  infos
    .filter((info) => info.kind === kind)
    .map(({ label, deviceId }, index) => ({
      label: label || `${NAMES[kind]} ${index + 1}`,
      type: deviceTypeOf(label, kind),
      kind,
      port: deviceId,
    }));

/**
 * Why a device cannot be used, by the names of the facade.
 * @typedef {"audioPermissionError" | "noAudioDevices" | "setPreferredAudioInputFailed" | "overrideOutputAudioPortFailed"} AudioDeviceReason
 */

/** A device that the browser does not open. */
export class AudioDeviceError extends Error {
  /**
   * @param {AudioDeviceReason} reason
   * @param {unknown} [cause] the browser's own error
   */
  constructor(reason, cause) {
    super(reason);
    this.name = "AudioDeviceError";
    this.reason = reason;
    this.cause = cause;
  }
}

const MISSING = new Set(["NotFoundError", "OverconstrainedError", "DevicesNotFoundError"]);

/**
 * The error of the facade for an error of `getUserMedia` or `setSinkId` (W3C Media Capture §10.3).
 * @param {unknown} error
 * @param {AudioDeviceKind} kind
 * @returns {AudioDeviceError}
 */
export function deviceErrorOf(error, kind) {
  const name = error instanceof Error ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") {
    return new AudioDeviceError("audioPermissionError", error);
  }
  if (MISSING.has(name)) return new AudioDeviceError("noAudioDevices", error);
  const isInput = kind === "audioinput";
  return new AudioDeviceError(isInput ? "setPreferredAudioInputFailed" : "overrideOutputAudioPortFailed", error);
}
