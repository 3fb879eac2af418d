import { InputTrack } from "./input-track.js";
import { VideoDeviceError, videoDevicesOf, videoErrorOf } from "./media-device.js";

/** The video format to request. The browser picks the nearest format that the camera supports. */
const PICTURE = Object.freeze({ width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30, max: 30 } });

/**
 * @param {import("./media-device.js").MediaDevice | null} device `null` for the browser's choice
 * @returns {MediaTrackConstraints}
 */
export const pictureOf = (device) => ({ ...PICTURE, ...(device?.port && { deviceId: { exact: device.port } }) });

/**
 * The camera of a browser. Callers can choose the camera at any time. The camera is open only
 * between `open` and `close`.
 */
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

  /** The camera's track, or `null` while the camera is not open. */
  get track() {
    return this.#input.current;
  }

  /**
   * The camera that the caller last chose, or `null` if the caller left the choice to the browser.
   */
  get device() {
    return this.#device;
  }

  /** Lists the cameras. Labels are generic until the user grants permission. */
  async list() {
    return videoDevicesOf((await this.#media?.enumerateDevices()) ?? []);
  }

  /**
   * Selects a camera. The selected camera replaces an open camera immediately. If no camera is
   * open, the next `open` opens the selected camera.
   * @param {import("./media-device.js").MediaDevice | null} device `null` for the browser's choice
   * @throws {VideoDeviceError} the current camera stays in use
   */
  async choose(device) {
    if (this.track) await this.#open(device);
    else this.#device = device;
  }

  /**
   * Opens the chosen camera, unless a camera is already open.
   * @throws {VideoDeviceError}
   */
  async open() {
    if (!this.track) await this.#open(this.#device);
  }

  /**
   * Uses the video track of a stream that the browser opens together with a microphone.
   * @param {Promise<MediaStream>} stream
   * @param {import("./media-device.js").MediaDevice | null} device
   */
  openFrom(stream, device) {
    return this.#input.open(async () => (await stream).getVideoTracks()[0] ?? null, () => (this.#device = device));
  }

  /**
   * Uses a track of the application. This object never stops the track. The application must stop
   * it.
   * @param {MediaStreamTrack} track
   */
  use(track) {
    this.#input.use(track);
  }

  /** Releases the camera. */
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
