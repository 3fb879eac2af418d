/** Computes the positions of tiles from the stage's size, the number of tiles and the layout. */

/**
 * @typedef {"grid" | "speaker" | "content"} Layout
 * @typedef {"tile" | "small" | "hidden"} OwnPicture
 * @typedef {{ x: number, y: number, width: number, height: number }} Rect in CSS pixels; x counts from the start of a line
 *
 * @typedef {object} Stage
 * @property {number} width
 * @property {number} height
 * @property {number} count the number of tiles, without the local user's tile if this tile is
 *   small or hidden
 * @property {Layout} layout
 * @property {boolean} [hasMain] whether the first tile is the large tile of the speaker layout
 *
 * @typedef {object} Places
 * @property {Rect[]} rects one rectangle for each tile, in the order of seats
 * @property {number} capacity the number of tiles in sight; the user scrolls down to the others
 */

/** The aspect ratio of tiles. Most cameras have the same aspect ratio. */
const RATIO = 16 / 9;
const GAP = 8;

/**
 * The smallest width of a tile in pixels. At this width, a user can still recognize the name and
 * the picture.
 */
const LEAST_WIDTH = 112;

/**
 * @param {Stage} stage
 * @returns {Places}
 */
export function placesOf({ width, height, count, layout, hasMain = false }) {
  if (count === 0 || width <= 0 || height <= 0) return { rects: Array.from({ length: count }, () => nowhere()), capacity: 0 };
  if (layout !== "speaker" || !hasMain || count === 1) return grid({ x: 0, y: 0, width, height }, count);
  return speaker(width, height, count);
}

/**
 * Returns the place of the local user's tile if this tile is small: the lower corner at the end of a line.
 * @param {number} width the width of the stage
 * @param {number} height the height of the stage
 * @returns {Rect}
 */
export function smallOwnPlace(width, height) {
  const own = Math.round(Math.min(200, Math.max(80, width / 5), height * RATIO * 0.4));
  const rect = { width: own, height: Math.round(own / RATIO) };
  return { ...rect, x: Math.max(0, width - own - GAP), y: Math.max(0, height - rect.height - GAP) };
}

/** @returns {Rect} */
const nowhere = () => ({ x: 0, y: 0, width: 0, height: 0 });

/**
 * Returns the grid with the largest tiles.
 * @param {Rect} area
 * @param {number} count
 * @returns {Places}
 */
function grid(area, count) {
  let [columns, width] = [1, 0];
  for (let tried = 1; tried <= count; tried++) {
    const fits = widthIn(area, tried, Math.ceil(count / tried));
    if (fits > width) [columns, width] = [tried, fits];
  }
  const isFull = width < Math.min(LEAST_WIDTH, area.width);
  if (isFull) {
    columns = Math.max(1, Math.floor((area.width + GAP) / (LEAST_WIDTH + GAP)));
    width = Math.min((area.width - GAP * (columns - 1)) / columns, area.height * RATIO);
  }
  const rows = isFull ? Math.max(1, Math.floor((area.height + GAP) / (width / RATIO + GAP))) : Math.ceil(count / columns);
  return { rects: standing(area, count, columns, width, isFull), capacity: Math.min(count, rows * columns) };
}

/**
 * @param {Rect} area
 * @param {number} columns
 * @param {number} rows
 */
function widthIn(area, columns, rows) {
  const byWidth = (area.width - GAP * (columns - 1)) / columns;
  const byHeight = ((area.height - GAP * (rows - 1)) / rows) * RATIO;
  return Math.min(byWidth, byHeight);
}

/**
 * Returns rows of tiles. If the rows fit into the area, they are in the middle of the area;
 * otherwise they start at the top.
 * @param {Rect} area
 * @param {number} count
 * @param {number} columns
 * @param {number} width
 * @param {boolean} isFull
 * @returns {Rect[]}
 */
function standing(area, count, columns, width, isFull) {
  const height = width / RATIO;
  const rows = Math.ceil(count / columns);
  const top = isFull ? area.y : area.y + (area.height - rows * height - GAP * (rows - 1)) / 2;
  return Array.from({ length: count }, (_, at) => {
    const row = Math.floor(at / columns);
    const inRow = row === rows - 1 ? count - columns * (rows - 1) : columns;
    // Center a last row that is not full.
    const left = area.x + (area.width - inRow * width - GAP * (inRow - 1)) / 2;
    return rounded(left + (at % columns) * (width + GAP), top + row * (height + GAP), width, height);
  });
}

/**
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @returns {Rect}
 */
function rounded(x, y, width, height) {
  return { x: Math.floor(x), y: Math.floor(y), width: Math.floor(width), height: Math.floor(height) };
}

/**
 * Returns one large tile, with the others beside or below it. The large tile is as large as
 * possible, and the others get the rest of the stage.
 * @param {number} width
 * @param {number} height
 * @param {number} count
 * @returns {Places}
 */
function speaker(width, height, count) {
  const strip = Math.round(Math.min(240, Math.max(LEAST_WIDTH, width / 5)));
  const beside = { x: 0, y: 0, width: width - strip - GAP, height };
  const line = Math.round(Math.min(150, Math.max(LEAST_WIDTH / RATIO, height / 5)));
  const above = { x: 0, y: 0, width, height: height - line - GAP };
  const isBeside = widthIn(beside, 1, 1) >= widthIn(above, 1, 1);
  const freeWidth = width - GAP - height * RATIO;
  const freeHeight = height - GAP - width / RATIO;
  const wide = trimmed(widened(strip, freeWidth, ((height - GAP) / 2) * RATIO, count - 1), freeWidth, height, count - 1);
  const high = widened(line, freeHeight, (width - GAP) / 2 / RATIO, count - 1);
  const [main, rest] = isBeside
    ? [{ ...beside, width: width - wide - GAP }, { x: width - wide, y: 0, width: wide, height }]
    : [{ ...above, height: height - high - GAP }, { x: 0, y: height - high, width, height: high }];
  const others = grid(rest, count - 1);
  return { rects: [...grid(main, 1).rects, ...others.rects], capacity: 1 + others.capacity };
}

/**
 * Returns the width or height of the strip of small tiles. The strip takes the space that the large
 * tile does not need. The strip stops growing when its small tiles, in two rows or columns, extend
 * along the whole large tile.
 * @param {number} least
 * @param {number} free the width or height that the large tile leaves free
 * @param {number} half the width or height of a tile that is half as large as the large tile
 * @param {number} count the number of small tiles
 */
const widened = (least, free, half, count) =>
  Math.max(least, Math.floor(Math.min(free, Math.ceil(count / 2) * (half + GAP) - GAP)));

/**
 * Returns the width of the strip without the space that its small tiles leave free, unless the large
 * tile cannot use this space.
 * @param {number} wide the width of the strip
 * @param {number} free the width that the large tile leaves free
 * @param {number} height
 * @param {number} count the number of small tiles
 */
function trimmed(wide, free, height, count) {
  const { rects } = grid({ x: 0, y: 0, width: wide, height }, count);
  const [first, last] = [Math.min(...rects.map(({ x }) => x)), Math.max(...rects.map(({ x, width }) => x + width))];
  // The places are rounded down to whole pixels.
  return Math.min(wide, Math.max(last - first + 2, Math.floor(free)));
}

/**
 * The layout that the user chose, and a second layout, which applies while another attendee shares
 * a screen.
 */
export class LayoutChoice {
  /** @type {Layout} */
  #chosen;
  /** @type {Layout} */
  #whileShared = "content";
  #isShared = false;

  /** @param {unknown} [kept] the choice of an earlier visit */
  constructor(kept) {
    this.#chosen = kept === "speaker" ? "speaker" : "grid";
  }

  /** The current layout. */
  get layout() {
    return this.#isShared ? this.#whileShared : this.#chosen;
  }

  /** The choice to store for later visits. */
  get chosen() {
    return this.#chosen;
  }

  /** @param {boolean} isShared whether another attendee shares a screen */
  share(isShared) {
    if (isShared && !this.#isShared) this.#whileShared = "content";
    this.#isShared = isShared;
  }

  /**
   * @param {Layout} layout the layout to choose; during a share, the choice takes effect when the
   *   share ends
   */
  choose(layout) {
    this.#chosen = layout;
  }

  /** Switches to the next layout. A switch during a share lasts until the share ends. */
  next() {
    if (this.#isShared) this.#whileShared = this.#whileShared === "content" ? "grid" : "content";
    else this.#chosen = this.#chosen === "grid" ? "speaker" : "grid";
    return this.layout;
  }
}
