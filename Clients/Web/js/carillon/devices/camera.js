import { InputTrack } from "./input-track.js";
import { VideoDeviceError, videoDevicesOf, videoErrorOf } from "./media-device.js";

/** What a camera is asked for. The browser takes the nearest that the camera has. */
const PICTURE = Object.freeze({ width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30, max: 30 } });

/**
 * @param {import("./media-device.js").MediaDevice | null} device `null` for the browser's choice
 * @returns {MediaTrackConstraints}
 */
export const pictureOf = (device) => ({ ...PICTURE, ...(device?.port && { deviceId: { exact: device.port } }) });

/** The camera of a browser: chosen at any time, open only while pictures are wanted. */
export class Camera {
  #media;
  #input;
  /** @type {import("./media-device.js").MediaDevice | null} */
  #device = null;

  /**
   * @param {Pick<MediaDevices, "enumerateDevices" | "getUserMedia"> | undefined} media
   * @param {import("../meeting/observers.js").Observers} observers
   */
  constructor(media, observers) {
    this.#media = media;
    this.#input = new InputTrack({
      changed: (track) => observers.tell("videoInputDidChange", track),
      ended: () => observers.tell("videoInputDidEnd"),
    });
  }

  /** The camera's track, or `null` while it is closed. */
  get track() {
    return this.#input.current;
  }

  /** The camera that was chosen or opened last, or `null` for the browser's own choice. */
  get device() {
    return this.#device;
  }

  /** Lists cameras. Labels are generic before the user gave permission. */
  async list() {
    return videoDevicesOf((await this.#media?.enumerateDevices()) ?? []);
  }

  /**
   * Uses this camera: at once if one is open, otherwise when one is opened next.
   * @param {import("./media-device.js").MediaDevice | null} device `null` for the browser's choice
   * @throws {VideoDeviceError} the camera in use stays
   */
  async choose(device) {
    if (this.track) await this.#open(device);
    else this.#device = device;
  }

  /**
   * Opens the chosen camera, if none is open.
   * @throws {VideoDeviceError}
   */
  async open() {
    if (!this.track) await this.#open(this.#device);
  }

  /**
   * Uses the picture of a stream that the browser opens with a microphone.
   * @param {Promise<MediaStream>} stream
   * @param {import("./media-device.js").MediaDevice | null} device
   */
  openFrom(stream, device) {
    return this.#input.open(async () => (await stream).getVideoTracks()[0] ?? null, () => (this.#device = device));
  }

  /**
   * Uses a track of the application, which stays the application's to stop.
   * @param {MediaStreamTrack} track
   */
  use(track) {
    this.#input.use(track);
  }

  /** Gives the camera back. */
  close() {
    this.#input.use(null);
  }

  /** @param {import("./media-device.js").MediaDevice | null} device */
  async #open(device) {
    const media = this.#media;
    if (!media) throw new VideoDeviceError("noVideoDevices");
    const open = async () => {
      try {
        return (await media.getUserMedia({ video: pictureOf(device) })).getVideoTracks()[0] ?? null;
      } catch (error) {
        throw videoErrorOf(error);
      }
    };
    await this.#input.open(open, () => (this.#device = device));
  }
}
