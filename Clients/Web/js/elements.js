/** Finds and makes elements of a page, and returns the page's texts in the language of the page. */

/** The languages of the page's texts: English, and each language with a file in `lang/`. */
export const languages = Object.freeze(["en", "de", "fr", "es"]);

/**
 * Artificial languages for tests: one with long texts, and one that runs from right to left. A page
 * uses such a language only if the page's address names the language.
 */
const PSEUDO = ["en-XA", "ar-XB"];

/** The name of this installation, which the gateway writes into the page's title. */
export const brand = globalThis.document?.title ?? "Carillon";

let locale = "en";
/** @type {ReadonlyMap<string, string>} */
let texts = new Map();

/**
 * Returns the English text with placeholders that matches a server's message, and the values that
 * the message has in the places of these placeholders.
 * @type {(message: string) => readonly [english: string, values: Readonly<Record<string, string>>]}
 */
let partsOf = (message) => [message, {}];

/**
 * Returns the first language that has texts, in this order: the language in the address, the user's
 * choice, the browser's languages, English.
 * @param {string | null} asked the value of `lang` in the address
 * @param {string} chosen the user's choice; empty for the browser's language
 * @param {readonly string[]} preferred the browser's languages, best first
 * @returns {string} `en`, `de`, `fr`, `es`, `en-XA` or `ar-XB`
 */
export function languageOf(asked, chosen, preferred) {
  if (asked && PSEUDO.includes(asked)) return asked;
  const wanted = [asked ?? "", chosen, ...preferred].map(primary);
  return wanted.find((each) => languages.includes(each)) ?? "en";
}

/** @param {string} code the code of a language, such as `de-AT` */
const primary = (code) => code.toLowerCase().split(/[-_]/)[0] ?? "";

/**
 * Sets the texts of the page's language.
 * @param {string} code a language that `Intl` knows
 * @param {ReadonlyMap<string, string>} catalogue the texts by their English form
 * @param {typeof partsOf} [parts] returns the text that matches a server's message, and the values
 *   in the message
 */
export function setTexts(code, catalogue, parts = (message) => [message, {}]) {
  locale = code;
  texts = catalogue;
  partsOf = parts;
}

/**
 * Returns the browser's variant of the page's language, such as `en-GB`. If the browser names no
 * variant, returns the language.
 */
export const regionalLocale = () => navigator.languages.find((each) => primary(each) === locale) ?? locale;

/**
 * Returns a text in the page's language. A text without a translation stays English.
 *
 * A text may contain placeholders: `{name}` for a value, and `{count, plural, one {# person} other
 * {# people}}` for a number. The texts within a plural may contain `{name}`, and `#` for the
 * number. The function joins a list of strings with commas and "and". The result is plain text and
 * may never become HTML.
 * @param {string} english the text in English, which is also its key in `lang/*.json`
 * @param {Readonly<Record<string, string | number | readonly string[]>>} [values] the values of the
 *   placeholders, by name
 * @returns {string}
 */
export const say = (english, values = {}) => filled(texts.get(english) ?? english, values);

/**
 * Returns a server's message in the page's language. A message without a translation stays English.
 * @param {string} message
 */
export const sayMessage = (message) => say(...partsOf(message));

const PLACE = /\{(\w+)(?:, plural,((?: \w+ \{(?:[^{}]|\{\w+\})*\})+))?\}/g;
const CASE = / (\w+) \{((?:[^{}]|\{\w+\})*)\}/g;

/**
 * @param {string} text
 * @param {Readonly<Record<string, string | number | readonly string[]>>} values
 * @returns {string}
 */
function filled(text, values) {
  return text.replace(PLACE, (place, name, cases) => {
    const value = values[name];
    if (value === undefined) return place;
    if (cases) return filled(caseOf(cases, Number(value)), values);
    return typeof value === "object" ? new Intl.ListFormat(locale).format(value) : `${value}`;
  });
}

/**
 * @param {string} cases
 * @param {number} count
 */
function caseOf(cases, count) {
  const all = new Map([...cases.matchAll(CASE)].map(([, category = "", text = ""]) => [category, text]));
  const text = all.get(new Intl.PluralRules(locale).select(count)) ?? all.get("other") ?? "";
  return text.replaceAll("#", `${count}`);
}

/**
 * Returns the element with an id. The page must contain the element.
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
 * Moves the focus to an element after a change that the user did not cause. In a frame, the element
 * does not take the focus from the page around the frame.
 * @param {HTMLElement} element
 */
export function offerFocus(element) {
  if (parent === window || document.hasFocus()) element.focus();
}

/**
 * Moves the focus to a button. If a small window hides the button, the focus moves to the button
 * More.
 * @param {HTMLElement} button
 */
export function focusOn(button) {
  shownOf(button).focus();
}

/**
 * Returns the button. If a small window shows the button only in the dialog More, returns the
 * button More.
 * @param {HTMLElement} button
 */
export function shownOf(button) {
  const more = byId("more", HTMLElement);
  const isKept = button.parentElement === more.parentElement && button.offsetParent !== null;
  return isKept || more.offsetParent === null ? button : more;
}

const SVG = "http://www.w3.org/2000/svg";

/** The path of the icons, relative to this module, because the module's address may contain a version. */
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
 * Changes an icon to the icon with this name.
 * @param {Element | null} svg
 * @param {string} name
 */
export function setIcon(svg, name) {
  svg?.querySelector("use")?.setAttribute("href", `${ICONS}#${name}`);
}

/** @type {Promise<unknown> | null} */
let later = null;

/**
 * Loads the styles of those parts of the page that many meetings do not show. Later calls do
 * nothing.
 */
export function laterStyles() {
  const href = new URL("../css/later.css", import.meta.url).pathname;
  const link = make("link", { attributes: { rel: "stylesheet", href } });
  later ??= new Promise((resolve) => {
    for (const end of ["load", "error"]) link.addEventListener(end, resolve);
    document.head.append(link);
  });
  return later;
}

/** Loads the operator's logo, if the gateway has put one into the page. */
export function showLogo() {
  for (const logo of document.querySelectorAll("img")) if (logo.dataset["src"]) logo.src = logo.dataset["src"];
}

/**
 * Returns a time of day in the format of the page's language.
 * @param {number} timeMs
 */
export const timeOfDay = (timeMs) =>
  new Date(timeMs).toLocaleTimeString(regionalLocale(), { hour: "2-digit", minute: "2-digit" });

/** @type {AbortController | null} Stops the watch over the message that was shown last. */
let watch = null;

/**
 * Scrolls to a message. The form around the message may grow later, for example when the browser
 * lists the devices. Scrolls again then, until the user acts or another message is shown.
 * @param {HTMLElement} message
 */
export function keepInView(message) {
  watch?.abort();
  const { signal } = (watch = new AbortController());
  const scroll = () => message.scrollIntoView({ block: "nearest" });
  scroll();
  const around = message.closest("form, dialog");
  if (!around) return;
  const growth = new ResizeObserver(scroll);
  growth.observe(around);
  signal.addEventListener("abort", () => growth.disconnect(), { once: true });
  for (const act of ["keydown", "pointerdown", "wheel", "touchmove"]) {
    addEventListener(act, () => watch?.abort(), { capture: true, passive: true, signal });
  }
}
