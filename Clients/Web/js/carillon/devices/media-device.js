/**
 * The library's microphones, speakers and cameras, built from the browser's device list.
 *
 * @typedef {"audioinput" | "audiooutput"} AudioDeviceKind
 * @typedef {AudioDeviceKind | "videoinput"} DeviceKind
 * @typedef {"audioBluetooth" | "audioWiredHeadset" | "audioBuiltInSpeaker" | "audioHandset"
 *   | "videoFrontCamera" | "videoBackCamera" | "other"} MediaDeviceType
 *
 * @typedef {object} MediaDevice
 * @property {string} label the display name
 * @property {MediaDeviceType} type
 * @property {DeviceKind} kind whether the device is a microphone, a speaker or a camera
 * @property {string} port the browser's id of the device; empty until the user grants permission
 */

/** Label patterns that identify a type of device. The first pattern that matches decides. */
const TYPES = /** @type {const} */ ([
  [/bluetooth|airpods|hands-?free/i, "audioBluetooth"],
  [/headset|headphone|earphone/i, "audioWiredHeadset"],
  [/handset|earpiece/i, "audioHandset"],
]);

/**
 * Returns the type of a device. Browsers do not report a type, so the label decides.
 * @param {string} label
 * @param {DeviceKind} kind
 * @returns {MediaDeviceType}
 */
export function deviceTypeOf(label, kind) {
  if (kind === "videoinput") return /\b(back|rear|environment)\b/i.test(label) ? "videoBackCamera" : "videoFrontCamera";
  const known = TYPES.find(([pattern]) => pattern.test(label))?.[1];
  if (known) return known;
  return kind === "audiooutput" && /speaker/i.test(label) ? "audioBuiltInSpeaker" : "other";
}

const NAMES = Object.freeze({ audioinput: "Microphone", audiooutput: "Speaker", videoinput: "Camera" });

/**
 * Returns the audio devices in the browser's order. A device without a label gets a label that
 * consists of its kind and its number.
 * @param {readonly { kind: string, label: string, deviceId: string }[]} infos
 * @returns {MediaDevice[]}
 */
export function audioDevicesOf(infos) {
  return [...ofKind(infos, "audioinput"), ...ofKind(infos, "audiooutput")];
}

/**
 * Returns the cameras in the browser's order.
 * @param {readonly { kind: string, label: string, deviceId: string }[]} infos
 * @returns {MediaDevice[]}
 */
export const videoDevicesOf = (infos) => ofKind(infos, "videoinput");

/**
 * @param {readonly { kind: string, label: string, deviceId: string }[]} infos
 * @param {DeviceKind} kind
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
 * The reason why the browser cannot use an audio device. The names are those of the facade
 * (`AudioVideoFacade` of the original SDK).
 * @typedef {"audioPermissionError" | "noAudioDevices" | "setPreferredAudioInputFailed" | "overrideOutputAudioPortFailed"} AudioDeviceReason
 */

/** A device that the browser cannot open. */
class DeviceError extends Error {
  /**
   * @param {string} reason
   * @param {unknown} cause the browser's own error
   */
  constructor(reason, cause) {
    super(reason);
    this.cause = cause;
  }
}

/** A microphone or speaker that the browser cannot open. */
export class AudioDeviceError extends DeviceError {
  /**
   * @param {AudioDeviceReason} reason
   * @param {unknown} [cause] the browser's own error
   */
  constructor(reason, cause) {
    super(reason, cause);
    this.name = "AudioDeviceError";
    this.reason = reason;
  }
}

/**
 * The reason why the browser cannot use a camera.
 * @typedef {"videoPermissionError" | "noVideoDevices" | "videoInputFailed"} VideoDeviceReason
 */

/** A camera that the browser cannot open. */
export class VideoDeviceError extends DeviceError {
  /**
   * @param {VideoDeviceReason} reason
   * @param {unknown} [cause] the browser's own error
   */
  constructor(reason, cause) {
    super(reason, cause);
    this.name = "VideoDeviceError";
    this.reason = reason;
  }
}

/**
 * The names of errors of `getUserMedia`, `getDisplayMedia` and `setSinkId` (W3C Media Capture
 * §10.3).
 */
const REFUSED = new Set(["NotAllowedError", "SecurityError"]);
const MISSING = new Set(["NotFoundError", "OverconstrainedError", "DevicesNotFoundError"]);

/** @param {unknown} error */
const nameOf = (error) => (error instanceof Error ? error.name : "");

/**
 * Converts the browser's error for a microphone or a speaker to an `AudioDeviceError`.
 * @param {unknown} error
 * @param {AudioDeviceKind} kind
 * @returns {AudioDeviceError}
 */
export function deviceErrorOf(error, kind) {
  if (REFUSED.has(nameOf(error))) return new AudioDeviceError("audioPermissionError", error);
  if (MISSING.has(nameOf(error))) return new AudioDeviceError("noAudioDevices", error);
  const isInput = kind === "audioinput";
  return new AudioDeviceError(isInput ? "setPreferredAudioInputFailed" : "overrideOutputAudioPortFailed", error);
}

/**
 * Converts the browser's error for a camera or a captured screen to a `VideoDeviceError`.
 * @param {unknown} error
 * @returns {VideoDeviceError}
 */
export function videoErrorOf(error) {
  if (REFUSED.has(nameOf(error))) return new VideoDeviceError("videoPermissionError", error);
  if (MISSING.has(nameOf(error))) return new VideoDeviceError("noVideoDevices", error);
  return new VideoDeviceError("videoInputFailed", error);
}
