/**
 * The layers that a camera or a screen sends: values that follow from the size of its pictures.
 *
 * @typedef {object} SendLayer one encoding of a sender
 * @property {string} [rid] its name in the offer; the only layer of a screen has none
 * @property {number} scale by how much the pictures are smaller than the camera's
 * @property {number} maxBitrateKbps 0 for a layer that the camera is too small for
 */

/** The bitrates that pictures of this many pixels need at most, in kbit/s; the last is for all larger ones. */
const RATES = Object.freeze([
  { pixels: 320 * 240, kbps: 300 },
  { pixels: 640 * 480, kbps: 600 },
  { pixels: 960 * 540, kbps: 1_000 },
  { pixels: Infinity, kbps: 1_500 },
]);

/** The size that a camera is taken for while the browser does not say it. */
const USUAL = Object.freeze({ width: 1_280, height: 720 });

/** @type {readonly SendLayer[]} */
export const screenLayers = Object.freeze([{ scale: 1, maxBitrateKbps: 1_500 }]);

/**
 * The only layer of a camera. With several layers, a camera that was switched off and on again was seen by
 * nobody.
 * @param {{ width?: number | undefined, height?: number | undefined }} size of its pictures
 * @returns {readonly SendLayer[]}
 */
export function cameraLayers({ width, height }) {
  const size = width && height ? { width, height } : USUAL;
  return [{ scale: 1, maxBitrateKbps: rateOf(size.width * size.height) }];
}

/** @param {number} pixels */
const rateOf = (pixels) => RATES.find((rate) => pixels <= rate.pixels)?.kbps ?? 0;

/**
 * A layer as a sender is asked for it.
 * @param {SendLayer} layer
 * @returns {RTCRtpEncodingParameters}
 */
export const encodingOf = ({ rid, scale, maxBitrateKbps }) => ({
  ...(rid && { rid }),
  active: maxBitrateKbps > 0,
  scaleResolutionDownBy: scale,
  // A browser takes no bitrate of 0.
  ...(maxBitrateKbps > 0 && { maxBitrate: maxBitrateKbps * 1_000 }),
});

/**
 * Whether a sender does the same for both.
 * @param {readonly SendLayer[]} some
 * @param {readonly SendLayer[]} others
 */
export const areSameLayers = (some, others) =>
  some.length === others.length &&
  some.every(({ scale, maxBitrateKbps }, at) => {
    const other = others[at];
    return scale === other?.scale && maxBitrateKbps === other.maxBitrateKbps;
  });
