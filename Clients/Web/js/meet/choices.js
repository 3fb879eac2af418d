/**
 * The user's choices about announcements, sounds and captions. A preference in kept.js stores each
 * choice.
 */
import { prefer, preference } from "./kept.js";

/**
 * @typedef {"joins" | "hands" | "devices" | "chat" | "connection" | "captions"} NewsKind
 * @typedef {"small" | "medium" | "large"} CaptionSize
 */

/**
 * The kinds of news that the page announces (`speak`), and the kinds for which it plays sounds
 * (`sound`).
 * @type {Readonly<Record<"speak" | "sound", readonly NewsKind[]>>}
 */
export const newsKinds = Object.freeze({
  speak: Object.freeze(/** @type {const} */ (["joins", "hands", "devices", "chat", "connection", "captions"])),
  sound: Object.freeze(/** @type {const} */ (["joins", "hands", "chat"])),
});

/** Joins and leaves make a sound only in meetings of at most this number of people. */
const MOST_FOR_JOIN_SOUNDS = 10;

/** @type {Readonly<Record<string, NewsKind>>} */
const kindOfNews = Object.freeze({
  joined: "joins",
  left: "joins",
  lost: "joins",
  hand: "hands",
  reaction: "hands",
  chat: "chat",
  microphone: "devices",
  camera: "devices",
  connection: "connection",
  caption: "captions",
});

/**
 * Returns whether the user wants announcements (`speak`) or sounds (`sound`) for a kind of news.
 * Without a choice, the page does not announce captions.
 * @param {"speak" | "sound"} how
 * @param {NewsKind} kind
 */
export const isChosen = (how, kind) => (preference(`${how}-${kind}`) || (kind === "captions" ? "off" : "on")) !== "off";

/**
 * @param {"speak" | "sound"} how
 * @param {NewsKind} kind
 * @param {boolean} isOn
 */
export const choose = (how, kind, isOn) => prefer(`${how}-${kind}`, isOn ? "on" : "off");

/**
 * Returns whether the page announces news. The page always announces news that has no kind in the
 * settings.
 * @param {string} news
 */
export function isTold(news) {
  const kind = kindOfNews[news];
  return !kind || isChosen("speak", kind);
}

/**
 * Returns the sound of news, or `null`.
 * @param {string} news
 * @param {number} people the number of people in the meeting
 * @returns {"joined" | "left" | "hand" | "chat" | null}
 */
export function soundOf(news, people) {
  const kind = kindOfNews[news];
  if (!kind || !newsKinds.sound.includes(kind) || news === "reaction" || !isChosen("sound", kind)) return null;
  if (kind === "joins" && people > MOST_FOR_JOIN_SOUNDS) return null;
  return news === "lost" ? "left" : /** @type {"joined" | "left" | "hand" | "chat"} */ (news);
}

/** @returns {CaptionSize} */
export function captionSize() {
  const kept = preference("caption-size");
  return kept === "small" || kept === "large" ? kept : "medium";
}
