/**
 * The queue of announcements for screen readers. Callers pass the current time to the methods.
 *
 * The queue collects news of one kind for `GATHER_MS`, and merges repeated news. If many people
 * have news of one kind, the announcement states their number instead of their names.
 */
import { sentences, words } from "./words/announcements.js";

/**
 * @typedef {"joined" | "left" | "lost" | "hand" | "reaction" | "share" | "chat"} Kind
 * @typedef {{ kind: Kind, id: string, name: string, text?: string }} NewsOfPeople
 * @typedef {{ kind: "connection", isLost: boolean }} NewsOfConnection
 * @typedef {{ kind: "microphone" | "camera", isOn: boolean }} NewsOfDevice news about the local
 *   user's microphone or camera
 * @typedef {{ kind: "own", text: string }} OwnNews news about the local user
 * @typedef {{ kind: "caption", text: string }} Caption
 * @typedef {NewsOfPeople | NewsOfConnection | NewsOfDevice | OwnNews | Caption} News
 *
 * @typedef {object} Group news of one kind that the queue has not announced yet
 * @property {Map<string, string>} names the names by id, in the order of the news
 * @property {string[]} texts
 * @property {number} count
 * @property {number} readyAt
 */

/** The shortest time between two announcements, in milliseconds. */
export const PAUSE_MS = 2_000;

/**
 * The time for which the queue collects news of one kind before it makes an announcement, in
 * milliseconds.
 */
const GATHER_MS = 500;

/** The shortest outage that the queue announces, in milliseconds. */
const OUTAGE_MS = 3_000;

/**
 * After the queue has announced a count, the queue announces no further news of the same kind for
 * this time, in milliseconds.
 */
const STORM_MS = 10_000;

/** The largest number of people that an announcement names. */
const MOST_NAMES = 3;

/**
 * The largest number of ids that the queue stores for one kind of news. Beyond this number, only
 * the count of the news grows.
 */
const MOST_KNOWN = 1_000;

/** The largest number of characters of a message that an announcement contains. */
const MOST_TEXT = 200;

/** The largest number of captions that wait. The queue drops older captions. */
const MOST_CAPTIONS = 3;

/** The kinds of news that the queue announces before all other news. */
const FIRST = ["own", "microphone", "camera", "connection"];

/**
 * For each kind of news, the kinds that cancel it. News and its opposite cancel each other while
 * the queue has announced neither.
 */
const opposites = Object.freeze({ joined: ["left", "lost"], left: ["joined"], lost: ["joined"] });

const characters = new Intl.Segmenter();

export class Announcer {
  /** @type {Map<string, Group>} */
  #groups = new Map();
  /** @type {Map<string, number>} */
  #silentUntil = new Map();
  #nextAt = -Infinity;
  #isOutageTold = false;
  #lastText = "";

  /**
   * Adds news to the queue.
   * @param {News} news
   * @param {number} now the current time, in milliseconds
   */
  tell(news, now) {
    if (news.kind === "connection") this.#connection(news.isLost, now);
    else if (news.kind === "own") this.#own(news.text, now);
    else if ("isOn" in news) this.#device(news.kind, news.isOn, now);
    else if (news.kind === "caption") this.#caption(news.text, now);
    else this.#people(news, now);
  }

  /** The time of the next announcement, or `null` without news. */
  get dueAt() {
    const times = [...this.#groups.values()].map(({ readyAt }) => readyAt);
    return times.length ? Math.max(Math.min(...times), this.#nextAt) : null;
  }

  /**
   * Returns the announcement whose time has come, and removes it from the queue.
   * @param {number} now
   * @returns {string | null}
   */
  take(now) {
    if (now < this.#nextAt) return null;
    const ready = [...this.#groups].filter(([, { readyAt }]) => readyAt <= now);
    const [kind, group] = ready.find(([each]) => FIRST.includes(each)) ?? ready[0] ?? [];
    if (!kind || !group) return null;
    this.#groups.delete(kind);
    this.#nextAt = now + PAUSE_MS;
    if (group.count > MOST_NAMES) this.#silentUntil.set(kind, now + STORM_MS);
    if (kind === "connection") this.#isOutageTold = group.texts[0] === words.connectionLost;
    this.#lastText = sentenceOf(kind, group);
    return this.#lastText;
  }

  /**
   * @param {boolean} isLost
   * @param {number} now
   */
  #connection(isLost, now) {
    const waiting = this.#groups.get("connection");
    if (isLost && (waiting || this.#isOutageTold)) return;
    this.#groups.delete("connection");
    if (isLost) this.#add("connection", words.connectionLost, now + OUTAGE_MS);
    else if (this.#isOutageTold) this.#add("connection", words.connectedAgain, now);
  }

  /**
   * A change and the opposite change cancel each other while the queue has announced neither.
   * @param {"microphone" | "camera"} kind
   * @param {boolean} isOn
   * @param {number} now
   */
  #device(kind, isOn, now) {
    const text = words.devices[kind][isOn ? "on" : "off"];
    const waiting = this.#groups.get(kind)?.texts[0];
    if (waiting !== undefined && waiting !== text) this.#groups.delete(kind);
    else if (waiting === undefined) this.#add(kind, text, now);
  }

  /**
   * @param {string} text
   * @param {number} now
   */
  #caption(text, now) {
    const group = this.#groups.get("caption") ?? this.#add("caption", "", now);
    group.texts = [...group.texts.filter(Boolean), shortened(text)].slice(-MOST_CAPTIONS);
  }

  /**
   * @param {string} text
   * @param {number} now
   */
  #own(text, now) {
    if (text === this.#lastText && now < this.#nextAt) return;
    const texts = this.#groups.get("own")?.texts ?? [];
    this.#groups.delete("own");
    const group = this.#add("own", text, now);
    group.texts = [...texts.filter((each) => each !== text), text].slice(-2);
  }

  /**
   * @param {NewsOfPeople} news
   * @param {number} now
   */
  #people({ kind, id, name, text }, now) {
    if (this.#undo(kind, id)) return;
    const readyAt = Math.max(now + GATHER_MS, this.#silentUntil.get(kind) ?? 0);
    const group = this.#groups.get(kind) ?? this.#add(kind, "", readyAt);
    if (kind === "chat" || !group.names.has(id)) group.count += 1;
    if (group.names.size < MOST_KNOWN) group.names.set(id, name);
    group.texts = text === undefined ? [] : [text];
  }

  /**
   * Removes the opposite news of the same person from the queue.
   * @param {Kind} kind
   * @param {string} id
   * @returns {boolean} whether the queue contained opposite news
   */
  #undo(kind, id) {
    const kinds = kind in opposites ? opposites[/** @type {"joined"} */ (kind)] : [];
    for (const opposite of kinds) {
      const group = this.#groups.get(opposite);
      if (!group?.names.delete(id)) continue;
      group.count -= 1;
      if (group.count === 0) this.#groups.delete(opposite);
      return true;
    }
    return false;
  }

  /**
   * @param {string} kind
   * @param {string} text
   * @param {number} readyAt
   */
  #add(kind, text, readyAt) {
    const group = { names: new Map(), texts: [text], count: 0, readyAt };
    this.#groups.set(kind, group);
    return group;
  }
}

/**
 * @param {string} kind
 * @param {Group} group
 */
function sentenceOf(kind, { names, texts, count }) {
  const sentence = sentences[kind];
  if (!sentence) return texts.join(" ");
  const [name] = names.values();
  if (kind === "chat" && count === 1) return words.wrote(name ?? "", shortened(texts[0] ?? ""));
  return count > MOST_NAMES ? sentence.many(count) : sentence.few([...names.values()]);
}

/** @param {string} text */
function shortened(text) {
  const all = [...characters.segment(text.slice(0, 8 * MOST_TEXT))].map(({ segment }) => segment);
  return all.length > MOST_TEXT ? `${all.slice(0, MOST_TEXT).join("")}…` : text.slice(0, 8 * MOST_TEXT);
}
