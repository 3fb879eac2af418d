/**
 * The video layers that a peer connection sends or receives, computed from its statistics (W3C
 * webrtc-stats).
 *
 * @typedef {object} SentLayer a layer of this client's camera or screen
 * @property {string} rid the name of the layer in the offer; empty for a single layer
 * @property {number} width the width, in pixels
 * @property {number} height
 * @property {number} framesPerSecond
 *
 * @typedef {object} ReceivedLayer the layer of a remote video that the server forwards
 * @property {number} layer the number of the layer, counted from 1, lowest bitrate first
 * @property {number} layerCount how many layers the video has
 * @property {number} width the width of the last frame, in pixels
 * @property {number} height
 * @property {number} framesPerSecond
 *
 * @typedef {object} Flow
 * @property {readonly SentLayer[]} sent the sent layers, smallest first
 * @property {ReadonlyMap<string, Omit<SentLayer, "rid">>} received the received layers, by section
 *   id (mid)
 */

/** @type {Flow} */
export const noFlow = Object.freeze({ sent: [], received: new Map() });

/**
 * Compares the statistics of two moments. A layer is active if it had a frame between the two
 * moments.
 */
export class LayerWatch {
  /** @type {Map<string, number>} the frames of a stream, by the id of its report */
  #frames = new Map();

  /**
   * Returns the layers with a frame since the last call.
   * @param {Iterable<any>} reports
   * @returns {Flow}
   */
  take(reports) {
    const videos = [...reports].filter(({ kind, frameWidth }) => kind === "video" && frameWidth > 0);
    const before = this.#frames;
    this.#frames = new Map(videos.map((report) => [report.id, framesOf(report)]));
    const flowing = videos.filter((report) => framesOf(report) > (before.get(report.id) ?? Infinity));
    const sent = flowing.filter(({ type }) => type === "outbound-rtp");
    const received = flowing.filter(({ type }) => type === "inbound-rtp");
    return {
      sent: sent.map((report) => ({ rid: report.rid ?? "", ...sizeOf(report) })).sort(bySize),
      received: new Map(received.map((report) => [report.mid ?? "", sizeOf(report)])),
    };
  }
}

/** @param {any} report */
const framesOf = ({ framesSent, framesDecoded }) => framesSent ?? framesDecoded ?? 0;

/** @param {any} report */
const sizeOf = ({ frameWidth, frameHeight, framesPerSecond }) => ({
  width: frameWidth,
  height: frameHeight,
  framesPerSecond: framesPerSecond ?? 0,
});

/**
 * @param {SentLayer} one
 * @param {SentLayer} other
 */
const bySize = (one, other) => one.width * one.height - other.width * other.height;

/**
 * Returns which layer of a video a receiver gets, from the size of the received picture. The
 * function compares numbers of pixels, and chooses the layer for which the ratio of layer to
 * picture is nearest to 1. A publisher's browser may send smaller pictures than it declared.
 * @param {{ width: number, height: number }} size
 * @param {readonly number[]} pixels the number of pixels of each layer, as the server reports it,
 *   lowest bitrate first
 * @returns {number} the number of the layer, counted from 1
 */
export function layerOf({ width, height }, pixels) {
  const distances = pixels.map((each) => Math.abs(Math.log(Math.max(each, 1) / (width * height))));
  return 1 + distances.indexOf(Math.min(...distances));
}
