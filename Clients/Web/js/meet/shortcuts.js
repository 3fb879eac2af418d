/** Which key does what, and the key that is held to talk: decisions without a page. */

/**
 * @typedef {"mute" | "camera" | "hand" | "chat" | "people" | "layout" | "fullScreen" | "help"} Command
 * @typedef {{ key: string, ctrlKey: boolean, metaKey: boolean, altKey: boolean, repeat: boolean }} Press
 * @typedef {{ areSingleKeysOn: boolean, isTyping: boolean, isDialogOpen: boolean }} Situation
 */

/** @type {ReadonlyMap<string, Command>} */
const singleKeys = new Map([
  ["m", "mute"],
  ["v", "camera"],
  ["h", "hand"],
  ["c", "chat"],
  ["p", "people"],
  ["l", "layout"],
  ["f", "fullScreen"],
  ["?", "help"],
]);

/** @type {ReadonlyMap<string, Command>} */
const controlKeys = new Map([
  ["d", "mute"],
  ["e", "camera"],
]);

export const TALK_KEY = "t";

/**
 * What a key does now.
 * @param {Press} press
 * @param {Situation} situation
 * @returns {Command | null}
 */
export function commandOf(press, situation) {
  if (press.repeat || press.altKey) return null;
  const key = press.key.toLowerCase();
  if (press.ctrlKey || press.metaKey) return controlKeys.get(key) ?? null;
  return isSingleKeyFree(situation) ? (singleKeys.get(key) ?? null) : null;
}

/**
 * Whether a key is the one to talk with now.
 * @param {Press} press
 * @param {Situation} situation
 */
export function isTalkKey(press, situation) {
  const isPlain = !press.ctrlKey && !press.metaKey && !press.altKey;
  return isPlain && press.key.toLowerCase() === TALK_KEY && isSingleKeyFree(situation);
}

/** @param {Situation} situation */
const isSingleKeyFree = ({ areSingleKeysOn, isTyping, isDialogOpen }) => areSingleKeysOn && !isTyping && !isDialogOpen;

/**
 * The microphone while a key is held: it opens at the press, and closes whatever ends the press.
 * Somebody else's mute wins, and a microphone that was open before stays open.
 */
export class HeldTalk {
  #isHeld = false;

  /** Whether the key holds the microphone open. */
  get isHeld() {
    return this.#isHeld;
  }

  /**
   * @param {{ isMuted: boolean, isMutedByOther: boolean }} microphone
   * @returns {boolean} whether the microphone is to be opened
   */
  press({ isMuted, isMutedByOther }) {
    if (this.#isHeld || !isMuted || isMutedByOther) return false;
    return (this.#isHeld = true);
  }

  /**
   * The key was released, or the page cannot see its release any more.
   * @returns {boolean} whether the microphone is to be closed
   */
  release() {
    const wasHeld = this.#isHeld;
    this.#isHeld = false;
    return wasHeld;
  }
}
