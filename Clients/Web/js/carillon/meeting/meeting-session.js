import { DeviceController } from "../devices/device-controller.js";
import { AudioVideo } from "./audio-video.js";
import { contentConfiguration, ContentShareController } from "./content-share.js";
import { SessionEngine } from "./session-engine.js";

/**
 * @typedef {object} MeetingSessionOptions
 * @property {"required" | "optional" | "none"} [media] whether the session starts without a path
 *   for media (`optional`, which is the default), not without one, or does not try to have one
 * @property {boolean} [isMuted] whether it begins with a closed microphone
 * @property {Record<string, string>} [clientDetails] what the server may know of the application:
 *   `app_name`, `app_version` and others of the schema
 * @property {DeviceController} [devices] the microphone and speaker, where they were chosen before the
 *   session; otherwise the session has its own
 * @property {import("./session-engine.js").Logger} [logger] without one nothing is logged
 */

const silent = { debug() {}, info() {}, warn() {} };

/** One attendee's session in a meeting. */
export class MeetingSession {
  /**
   * @param {import("./configuration.js").MeetingSessionConfiguration} configuration
   * @param {MeetingSessionOptions} [options]
   */
  constructor(configuration, options = {}) {
    const { media = "optional", isMuted = false, clientDetails = {}, logger = silent } = options;
    const { devices = new DeviceController() } = options;
    this.configuration = configuration;
    const { externalUserId, audioHostUrl: audioHost } = configuration;
    const optionsOf = (/** @type {string} */ attendeeId) => ({
      attendeeId,
      externalUserId,
      audioHost,
      audioSessionId: crypto.getRandomValues(new Uint32Array(1))[0] ?? 0,
      clientDetails,
    });
    const own = { ...optionsOf(configuration.attendeeId), media, isMuted };
    const engine = new SessionEngine(configuration, own, logger, devices);
    const content = new ContentShareController((tracks) => {
      const shared = contentConfiguration(configuration);
      const options = { ...optionsOf(shared.attendeeId), media: /** @type {const} */ ("required"), isMuted: true };
      return new SessionEngine(shared, options, logger, tracks);
    });
    /** What the application does in the meeting, and what it is told. */
    this.audioVideo = new AudioVideo(engine, devices, content);
  }
}
