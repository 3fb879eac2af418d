/**
 * The user's choices about announcements, sounds and captions. A preference in kept.js stores each
 * choice.
 */
import { prefer, preference } from "./kept.js";

/**
 * @typedef {"joins" | "hands" | "chat"} NewsKind
 * @typedef {"small" | "medium" | "large"} CaptionSize
 */

/** @type {readonly NewsKind[]} */
export const newsKinds = Object.freeze(["joins", "hands", "chat"]);

/** Joins and leaves make a sound only in meetings of at most this number of people. */
const MOST_FOR_JOIN_SOUNDS = 10;

/** @type {Readonly<Record<string, NewsKind>>} */
const kindOfNews = Object.freeze({ joined: "joins", left: "joins", lost: "joins", hand: "hands", reaction: "hands", chat: "chat" });

/**
 * Returns whether the user wants announcements (`speak`) or sounds (`sound`) for a kind of news.
 * @param {"speak" | "sound"} how
 * @param {NewsKind} kind
 */
export const isChosen = (how, kind) => preference(`${how}-${kind}`) !== "off";

/**
 * @param {"speak" | "sound"} how
 * @param {NewsKind} kind
 * @param {boolean} isOn
 */
export const choose = (how, kind, isOn) => prefer(`${how}-${kind}`, isOn ? "on" : "off");

/**
 * Returns whether the page announces news. The page always announces news of the local session.
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
  if (!kind || news === "reaction" || !isChosen("sound", kind)) return null;
  if (kind === "joins" && people > MOST_FOR_JOIN_SOUNDS) return null;
  return news === "lost" ? "left" : /** @type {"joined" | "left" | "hand" | "chat"} */ (news);
}

/** @returns {CaptionSize} */
export function captionSize() {
  const kept = preference("caption-size");
  return kept === "small" || kept === "large" ? kept : "medium";
}
