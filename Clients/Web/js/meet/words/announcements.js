/** The room's texts and the texts of announcements, in English. */
import { isolated } from "../names.js";

const lists = new Intl.ListFormat("en", { type: "conjunction" });
const plurals = new Intl.PluralRules("en");

/**
 * @param {number} count
 * @param {string} one
 * @param {string} other
 */
const counted = (count, one, other) => `${count} ${plurals.select(count) === "one" ? one : other}`;

/** @param {readonly string[]} names */
const listed = (names) => lists.format(names.map(isolated));

/**
 * Sentences about people: names for a few, a count for many.
 * @type {Readonly<Record<string, { few: (names: readonly string[]) => string, many: (count: number) => string }>>}
 */
export const sentences = Object.freeze({
  joined: {
    few: (names) => `${listed(names)} joined.`,
    many: (count) => `${counted(count, "person", "people")} joined.`,
  },
  left: {
    few: (names) => `${listed(names)} left.`,
    many: (count) => `${counted(count, "person", "people")} left.`,
  },
  lost: {
    few: (names) => `${listed(names)} lost the connection.`,
    many: (count) => `${counted(count, "person", "people")} lost the connection.`,
  },
  hand: {
    few: (names) => `${listed(names)} raised a hand.`,
    many: (count) => `${counted(count, "person", "people")} raised a hand.`,
  },
  reaction: {
    few: (names) => `${listed(names)} reacted.`,
    many: (count) => `${counted(count, "person", "people")} reacted.`,
  },
  share: {
    few: (names) => (names.length === 1 ? `${listed(names)} shares a screen.` : `${listed(names)} share screens.`),
    many: (count) => `${counted(count, "person", "people")} share screens.`,
  },
  chat: {
    few: (names) => `New messages from ${listed(names)}.`,
    many: (count) => `${counted(count, "new message", "new messages")} in the chat.`,
  },
});

export const words = Object.freeze({
  connectionLost: "The connection is lost. Reconnecting.",
  connectedAgain: "Connected again.",
  inMeeting: "You are in the meeting.",
  wrote: (/** @type {string} */ name, /** @type {string} */ text) => `${isolated(name)} wrote: ${isolated(text)}`,
});

export const roomWords = Object.freeze({
  notLoaded: "This part of the page did not load. Try again.",
  layouts: Object.freeze({ grid: "Layout: everybody", speaker: "Layout: speaker", content: "Layout: shared screen" }),
  mutedByOther: "You were muted. To unmute, press the microphone button. Only the operator can lift an operator's mute.",
  noHostControls: "The buttons of the host did not load. Load the page again.",
  noFullScreen: "This browser does not show the page in full screen.",
  pin: (/** @type {string} */ name) => `Show ${name} large`,
});
