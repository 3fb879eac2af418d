/**
 * The video sections of a peer connection: one for the camera and one for each received video.
 *
 * A section belongs to one video. When the session no longer wants the video, it stops the video's
 * transceiver. In later offers, the section then has port 0 until the browser uses the section
 * again.
 */

import { areSameLayers, cameraLayers, encodingOf, screenLayers } from "./send-layers.js";

export class VideoSections {
  #connection;
  #camera;
  #isScreen;
  /** @type {readonly import("./send-layers.js").SendLayer[]} */
  #layers;
  /** @type {Map<number, RTCRtpTransceiver>} by group */
  #receivers = new Map();

  /**
   * Adds the camera's section. The first offer contains this section, because the first answer
   * decides which header extensions later offers may use.
   * @param {RTCPeerConnection} connection a connection that already has its audio section
   * @param {boolean} isScreen whether the connection sends a screen instead of a camera
   */
  constructor(connection, isScreen) {
    this.#connection = connection;
    this.#isScreen = isScreen;
    this.#layers = isScreen ? screenLayers : cameraLayers({});
    this.#camera = connection.addTransceiver("video", {
      direction: "inactive",
      sendEncodings: this.#layers.map(encodingOf),
    });
    preferVP8(this.#camera);
  }

  /**
   * Prepares the next offer.
   * @param {import("./video-plan.js").VideoPlan} plan
   * @param {MediaStreamTrack | null} camera
   */
  async prepare(plan, camera) {
    this.#camera.direction = plan.isSending ? "sendrecv" : "inactive";
    await this.send(plan.isSending ? camera : null);
    const groups = new Set(plan.receives.map(({ groupId }) => groupId));
    for (const [groupId, receiver] of this.#receivers) {
      if (groups.has(groupId)) continue;
      receiver.stop();
      this.#receivers.delete(groupId);
    }
    for (const groupId of groups) {
      if (this.#receivers.has(groupId)) continue;
      this.#receivers.set(groupId, this.#connection.addTransceiver("video", { direction: "recvonly" }));
    }
  }

  /**
   * Replaces the camera's track without an offer.
   * @param {MediaStreamTrack | null} track
   */
  async send(track) {
    const { sender } = this.#camera;
    if (track && !this.#isScreen) await this.#fit(cameraLayers(track.getSettings()));
    if (sender.track !== track) await sender.replaceTrack(track);
  }

  /**
   * Sets the layers of the sender.
   * @param {readonly import("./send-layers.js").SendLayer[]} layers
   */
  async #fit(layers) {
    if (areSameLayers(layers, this.#layers)) return;
    const { sender } = this.#camera;
    const parameters = sender.getParameters();
    parameters.encodings.forEach((encoding, at) => {
      const layer = layers[at];
      if (!layer) return;
      // Without this line, a layer that is now off would keep the old bitrate.
      delete encoding.maxBitrate;
      Object.assign(encoding, encodingOf(layer));
    });
    await sender.setParameters(parameters);
    this.#layers = layers;
  }

  /** The layers that the camera or the screen sends, smallest first. */
  get layers() {
    return this.#layers;
  }

  /** Whether the last offer sends the camera. */
  get isSending() {
    return this.#camera.direction === "sendrecv";
  }

  /** Whether the last offer receives a video. */
  get isReceiving() {
    return this.#receivers.size > 0;
  }

  /** The section ids (mid) of the last offer, by group. */
  get mids() {
    return new Map([...this.#receivers].map(([groupId, { mid }]) => [groupId, mid ?? ""]));
  }

  /**
   * Returns the track of a received video, or `null`.
   * @param {number} groupId
   */
  trackOf(groupId) {
    return this.#receivers.get(groupId)?.receiver.track ?? null;
  }
}

/**
 * Prefers VP8 for the camera, because every receiver of Carillon decodes VP8.
 * @param {RTCRtpTransceiver} camera
 */
function preferVP8(camera) {
  const codecs = RTCRtpReceiver.getCapabilities("video")?.codecs ?? [];
  const isVP8 = (/** @type {{ mimeType: string }} */ { mimeType }) => mimeType.toLowerCase() === "video/vp8";
  const [preferred, others] = [codecs.filter(isVP8), codecs.filter((codec) => !isVP8(codec))];
  if (preferred.length) camera.setCodecPreferences?.([...preferred, ...others]);
}
