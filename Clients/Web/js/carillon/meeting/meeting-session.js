import { DeviceController } from "../devices/device-controller.js";
import { AudioVideo } from "./audio-video.js";
import { contentConfiguration, ContentShareController } from "./content-share.js";
import { SessionEngine } from "./session-engine.js";

/**
 * @typedef {object} MeetingSessionOptions
 * @property {"required" | "optional" | "none"} [media] whether a media path is `optional` (the
 *   default), `required` for the session to start, or not attempted (`none`)
 * @property {boolean} [isMuted] whether the session starts muted
 * @property {Record<string, string>} [clientDetails] what the client reports to the server about
 *   the application: `app_name`, `app_version` and other fields of the schema
 * @property {DeviceController} [devices] the devices chosen before the session; by default the
 *   session creates its own controller
 * @property {import("./session-engine.js").Logger} [logger] by default the session logs nothing
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
    /** The application's interface to the meeting. */
    this.audioVideo = new AudioVideo(engine, devices, content);
  }
}
