/**
 * The zoom of a shared screen: a scale, and an offset in pixels of the view.
 *
 * @typedef {{ scale: number, x: number, y: number }} Zoom
 * @typedef {{ width: number, height: number }} Size
 * @typedef {{ x: number, y: number }} Point from the middle of the view
 */

export const MOST_SCALE = 8;

/** @type {Zoom} */
export const noZoom = Object.freeze({ scale: 1, x: 0, y: 0 });

/**
 * Returns the zoom, enlarged around a point. The point does not move, unless the view would
 * otherwise show a place beyond the edges of the enlarged screen.
 * @param {Zoom} zoom
 * @param {number} factor
 * @param {Point} point
 * @param {Size} view
 * @returns {Zoom}
 */
export function scaled(zoom, factor, point, view) {
  const scale = Math.min(MOST_SCALE, Math.max(1, zoom.scale * factor));
  const ratio = scale / zoom.scale;
  return within({ scale, x: point.x - (point.x - zoom.x) * ratio, y: point.y - (point.y - zoom.y) * ratio }, view);
}

/**
 * @param {Zoom} zoom
 * @param {Point} by
 * @param {Size} view
 * @returns {Zoom}
 */
export const moved = (zoom, by, view) => within({ ...zoom, x: zoom.x + by.x, y: zoom.y + by.y }, view);

/**
 * Returns the zoom, moved so that the view shows no place beyond the edges of the enlarged screen.
 * @param {Zoom} zoom
 * @param {Size} view
 * @returns {Zoom}
 */
export function within({ scale, x, y }, { width, height }) {
  const most = { x: (width * (scale - 1)) / 2, y: (height * (scale - 1)) / 2 };
  const limited = (/** @type {number} */ value, /** @type {number} */ limit) => Math.min(limit, Math.max(-limit, value));
  return { scale, x: limited(x, most.x) || 0, y: limited(y, most.y) || 0 };
}
