import { byId } from "../elements.js";
import { moved, noZoom, scaled, within } from "./zoom.js";

/** The factor of each step of a wheel or a key. */
const STEP = 1.25;
const PAN_PX = 60;

/** @type {Readonly<Record<string, import("./zoom.js").Point>>} */
const arrows = Object.freeze({
  ArrowLeft: { x: PAN_PX, y: 0 },
  ArrowRight: { x: -PAN_PX, y: 0 },
  ArrowUp: { x: 0, y: PAN_PX },
  ArrowDown: { x: 0, y: -PAN_PX },
});

/**
 * Lets the user enlarge and move the shared screen, with a wheel, with one or two fingers, or with
 * keys.
 */
export class ShareZoom {
  #view = byId("share-view", HTMLElement);
  #video = byId("share-video", HTMLVideoElement);
  #reset = byId("share-reset", HTMLButtonElement);
  #zoom = noZoom;
  /** @type {Map<number, import("./zoom.js").Point>} */
  #fingers = new Map();
  #resizes = new ResizeObserver(() => this.#show(within(this.#zoom, this.#size)));

  /** @param {AbortSignal} signal */
  constructor(signal) {
    this.#view.addEventListener("wheel", (event) => this.#turned(event), { signal, passive: false });
    this.#view.addEventListener("keydown", (event) => this.#pressed(event), { signal });
    this.#view.addEventListener("pointerdown", (event) => this.#touched(event), { signal });
    this.#view.addEventListener("pointermove", (event) => this.#dragged(event), { signal });
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"]))
      this.#view.addEventListener(end, ({ pointerId }) => this.#fingers.delete(pointerId), { signal });
    this.#reset.addEventListener("click", () => this.#resetByUser(), { signal });
    // At first, the view shows the whole screen.
    this.#video.addEventListener("loadedmetadata", () => this.#show(noZoom), { signal });
    this.#resizes.observe(this.#view);
    signal.addEventListener("abort", () => this.#resizes.disconnect(), { once: true });
    this.#show(noZoom);
  }

  get #size() {
    return { width: this.#view.clientWidth, height: this.#view.clientHeight };
  }

  /** @param {{ clientX: number, clientY: number }} event */
  #pointOf({ clientX, clientY }) {
    const { left, top, width, height } = this.#view.getBoundingClientRect();
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  }

  /** @param {WheelEvent} event */
  #turned(event) {
    event.preventDefault();
    this.#show(scaled(this.#zoom, event.deltaY < 0 ? STEP : 1 / STEP, this.#pointOf(event), this.#size));
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const factor = { "+": STEP, "=": STEP, "-": 1 / STEP }[event.key];
    const by = arrows[event.key];
    if (factor) this.#show(scaled(this.#zoom, factor, { x: 0, y: 0 }, this.#size));
    else if (by) this.#show(moved(this.#zoom, by, this.#size));
    else if (event.key === "0") this.#show(noZoom);
    else return;
    event.preventDefault();
  }

  /** @param {PointerEvent} event */
  #touched(event) {
    if (event.button !== 0) return;
    this.#fingers.set(event.pointerId, this.#pointOf(event));
    this.#view.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #dragged(event) {
    const before = this.#fingers.get(event.pointerId);
    if (!before) return;
    const now = this.#pointOf(event);
    const [other] = [...this.#fingers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    this.#fingers.set(event.pointerId, now);
    if (!other) return this.#show(moved(this.#zoom, { x: now.x - before.x, y: now.y - before.y }, this.#size));
    this.#show(scaled(this.#zoom, distance(now, other) / Math.max(1, distance(before, other)), other, this.#size));
  }

  /** Shows the whole screen. The clicked button disappears, so the focus moves to the screen. */
  #resetByUser() {
    this.#show(noZoom);
    this.#view.focus();
  }

  /** @param {import("./zoom.js").Zoom} zoom */
  #show(zoom) {
    this.#zoom = zoom;
    const { scale, x, y } = zoom;
    this.#video.style.transform = scale === 1 ? "" : `translate(${x}px, ${y}px) scale(${scale})`;
    this.#view.classList.toggle("is-zoomed", scale !== 1);
    this.#reset.hidden = scale === 1;
  }
}

/**
 * @param {import("./zoom.js").Point} one
 * @param {import("./zoom.js").Point} other
 */
const distance = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
