/**
 * The layers that a camera or a screen sends, derived from the video's size.
 *
 * @typedef {object} SendLayer one encoding of a sender
 * @property {string} [rid] the name of the layer in the offer; a single layer has no name
 * @property {number} scale the factor by which the layer's picture is smaller than the
 *   camera's picture
 * @property {number} maxBitrateKbps 0 turns the layer off
 */

/**
 * The largest bitrate for each number of pixels, in kbit/s. The last entry covers all larger sizes.
 */
const RATES = Object.freeze([
  { pixels: 320 * 240, kbps: 300 },
  { pixels: 640 * 480, kbps: 600 },
  { pixels: 960 * 540, kbps: 1_000 },
  { pixels: Infinity, kbps: 1_500 },
]);

/**
 * The smallest number of pixels for which a camera sends two layers. For a smaller picture,
 * Chromium sends only the first layer.
 */
const LEAST_FOR_TWO = 480 * 270;

/** The size to assume until the browser reports the camera's size. */
const USUAL = Object.freeze({ width: 1_280, height: 720 });

/** @type {readonly SendLayer[]} */
export const screenLayers = Object.freeze([{ scale: 1, maxBitrateKbps: 1_500 }]);

/**
 * Returns the layers of a camera, smallest first. Every camera has two layers, because a sender
 * cannot add a layer later. A small camera sends its full size as the first layer, and pauses the
 * second layer.
 * @param {{ width?: number | undefined, height?: number | undefined }} size the size of the video
 * @returns {readonly SendLayer[]}
 */
export function cameraLayers({ width, height }) {
  const size = width && height ? { width, height } : USUAL;
  const pixels = size.width * size.height;
  if (pixels < LEAST_FOR_TWO) return layersOf(1, rateOf(pixels), 0);
  // A tile of the smallest resolution, 320 x 240, gets pictures of about 320 x 240 pixels.
  const scale = Math.min(size.width, size.height) >= 540 ? 4 : 2;
  return layersOf(scale, rateOf(pixels / scale ** 2), rateOf(pixels));
}

/**
 * @param {number} scale the scale of the lower layer
 * @param {number} low the bitrate of the lower layer, in kbit/s
 * @param {number} high the bitrate of the higher layer, in kbit/s
 * @returns {readonly SendLayer[]}
 */
const layersOf = (scale, low, high) => [
  { rid: "low", scale, maxBitrateKbps: low },
  { rid: "hi", scale: 1, maxBitrateKbps: high },
];

/** @param {number} pixels */
const rateOf = (pixels) => RATES.find((rate) => pixels <= rate.pixels)?.kbps ?? 0;

/**
 * Returns the encoding parameters of a layer.
 * @param {SendLayer} layer
 * @returns {RTCRtpEncodingParameters}
 */
export const encodingOf = ({ rid, scale, maxBitrateKbps }) => ({
  ...(rid && { rid }),
  active: maxBitrateKbps > 0,
  scaleResolutionDownBy: scale,
  // Browsers reject a bitrate of 0.
  ...(maxBitrateKbps > 0 && { maxBitrate: maxBitrateKbps * 1_000 }),
});

/**
 * Returns whether two lists of layers give a sender the same parameters.
 * @param {readonly SendLayer[]} some
 * @param {readonly SendLayer[]} others
 */
export const areSameLayers = (some, others) =>
  some.length === others.length &&
  some.every(({ scale, maxBitrateKbps }, at) => {
    const other = others[at];
    return scale === other?.scale && maxBitrateKbps === other.maxBitrateKbps;
  });
