/**
 * The texts of the page in a language other than English. The page loads this module only if its
 * language is not English.
 */
import { setTexts } from "../elements.js";
import { partsOf } from "./server-messages.js";

/** How long the page waits for the texts, in milliseconds. */
const WAIT_MS = 5_000;

const TRANSLATED = Object.freeze(["aria-label", "placeholder", "title"]);

/**
 * Loads the texts of a language and shows them. If the texts do not load in time, the page stays
 * English.
 * @param {string} language a language that `languageOf` returns, except `en`
 * @param {string} [folder] the folder with the page's texts below `lang/`, such as `operator/`
 */
export async function speak(language, folder = "") {
  try {
    const { locale, direction, textOf, file } = pseudo[language] ?? plain(language);
    const texts = new Map((await fetched(`${folder}${file}`)).map(([english, text]) => [english, textOf(text)]));
    setTexts(locale, texts, partsOf);
    translate(document.body, texts);
    document.documentElement.lang = language;
    document.documentElement.dir = direction;
  } catch (error) {
    console.warn("The texts of the language did not load.", error);
  }
}

/**
 * Returns the texts of a file, each with its English form.
 * @param {string} name the path of the file below `lang/`, without `.json`
 * @returns {Promise<[string, string][]>}
 */
async function fetched(name) {
  // The path is relative to this module, because the module's address may contain a version.
  const address = new URL(`../../lang/${name}.json`, import.meta.url);
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), WAIT_MS);
  try {
    const response = await fetch(address, { signal: giveUp.signal });
    if (!response.ok) throw new Error(`The server answered ${response.status}.`);
    return textsIn(await response.json());
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @param {unknown} file
 * @returns {[string, string][]}
 */
function textsIn(file) {
  const texts = Object.entries(file ?? {}).filter(([, text]) => typeof text === "string");
  if (!texts.length) throw new Error("The file contains no texts.");
  return texts;
}

/**
 * Translates the texts that the page's document contains.
 * @param {Element} root
 * @param {ReadonlyMap<string, string>} texts
 */
function translate(root, texts) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = /** @type {Text} */ (walker.currentNode);
    const english = node.data.trim();
    const text = texts.get(english);
    if (text) node.data = node.data.replace(english, () => text);
  }
  for (const name of TRANSLATED) {
    for (const element of root.querySelectorAll(`[${name}]`)) {
      element.setAttribute(name, texts.get(element.getAttribute(name) ?? "") ?? element.getAttribute(name) ?? "");
    }
  }
}

/**
 * @typedef {object} Speech
 * @property {string} locale the locale for `Intl`
 * @property {"ltr" | "rtl"} direction
 * @property {string} file the file that contains the texts
 * @property {(text: string) => string} textOf the text to show
 */

/** @returns {Speech} */
const plain = (/** @type {string} */ language) => ({
  locale: language,
  direction: "ltr",
  file: language,
  textOf: (text) => text,
});

/** @type {Readonly<Record<string, Speech>>} */
const pseudo = Object.freeze({
  "en-XA": { locale: "en", direction: "ltr", file: "en", textOf: (text) => eachCase(text, longer) },
  "ar-XB": { locale: "en", direction: "rtl", file: "en", textOf: (text) => eachCase(text, fromTheRight) },
});

/**
 * Calls `change` for each visible part of a text, and leaves the syntax of plurals unchanged.
 * @param {string} text
 * @param {(text: string) => string} change
 */
export const eachCase = (text, change) =>
  /^\{\w+, plural,/.test(text)
    ? text.replace(/ (\w+) \{((?:[^{}]|\{\w+\})*)\}/g, (_, name, inside) => ` ${name} {${change(inside)}}`)
    : change(text);

const PLAIN = [..."aeiounycszAEIOU"];
const ACCENTED = [..."áéíöüñýçšžÅÉÍÖÜ"];

/**
 * Returns the text with accents, in brackets, and about 40 % longer.
 * @param {string} text
 */
export function longer(text) {
  const changed = text.split(/(\{\w+\})/).map((part, at) => (at % 2 ? part : accented(part)));
  const more = "~~~~ ".repeat(Math.ceil(text.length / 12)).slice(0, Math.ceil(text.length * 0.4));
  return `[${changed.join("")} ${more.trim()}]`;
}

/** @param {string} text */
const accented = (text) => [...text].map((letter) => ACCENTED[PLAIN.indexOf(letter)] ?? letter).join("");

/**
 * Returns the text between right-to-left marks. Browsers then show punctuation at the ends of the
 * text as in a right-to-left script.
 * @param {string} text
 */
export const fromTheRight = (text) => `\u200f${text}\u200f`;
