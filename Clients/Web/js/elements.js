/** Elements of a page: found by their id, and made. */

/**
 * The element with an id, which the page has.
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function byId(id, kind) {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`The page has no ${kind.name} "${id}".`);
}

/**
 * Makes an element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {{ class?: string, text?: string, attributes?: Record<string, string> }} [what]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, what = {}, ...children) {
  const element = document.createElement(tag);
  if (what.class) element.className = what.class;
  if (what.text !== undefined) element.textContent = what.text;
  for (const [name, value] of Object.entries(what.attributes ?? {})) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/**
 * Moves the focus to a button. In a small window, More takes the place of a button that it hides.
 * @param {HTMLElement} button
 */
export function focusOn(button) {
  shownOf(button).focus();
}

/**
 * Returns a button, or the button More if a small window shows the button only in its dialog.
 * @param {HTMLElement} button
 */
export function shownOf(button) {
  const more = byId("more", HTMLElement);
  const isKept = button.parentElement === more.parentElement && button.offsetParent !== null;
  return isKept || more.offsetParent === null ? button : more;
}

const SVG = "http://www.w3.org/2000/svg";

/** Beside this module, whose address may name a version. */
const ICONS = new URL("../css/icons.svg", import.meta.url).pathname;

/**
 * Makes one of the icons of `css/icons.svg`.
 * @param {string} name
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  svg.append(document.createElementNS(SVG, "use"));
  setIcon(svg, name);
  return svg;
}

/**
 * Makes an icon another one.
 * @param {Element | null} svg
 * @param {string} name
 */
export function setIcon(svg, name) {
  svg?.querySelector("use")?.setAttribute("href", `${ICONS}#${name}`);
}

/** @type {Promise<unknown> | null} */
let later = null;

/** Loads the styles of what is not shown in every meeting, once. */
export function laterStyles() {
  const href = new URL("../css/later.css", import.meta.url).pathname;
  const link = make("link", { attributes: { rel: "stylesheet", href } });
  later ??= new Promise((resolve) => {
    for (const end of ["load", "error"]) link.addEventListener(end, resolve);
    document.head.append(link);
  });
  return later;
}

/**
 * A time of day, as people write it.
 * @param {number} timeMs
 */
export const timeOfDay = (timeMs) =>
  new Date(timeMs).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
