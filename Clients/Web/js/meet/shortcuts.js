/** Keyboard shortcuts and push-to-talk. This module does not access the page. */

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
 * Returns the command of a key press, or `null`.
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
 * Returns whether a key press starts push-to-talk.
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
 * Push-to-talk: the microphone opens when the user presses the key, and closes when the press ends
 * for any reason. While someone else's mute is in effect, the microphone stays muted. If the
 * microphone was already open before the press, it stays open after the press.
 */
export class HeldTalk {
  #isHeld = false;

  /** Whether the microphone is open because the user holds the key. */
  get isHeld() {
    return this.#isHeld;
  }

  /**
   * @param {{ isMuted: boolean, isMutedByOther: boolean }} microphone
   * @returns {boolean} whether to open the microphone
   */
  press({ isMuted, isMutedByOther }) {
    if (this.#isHeld || !isMuted || isMutedByOther) return false;
    return (this.#isHeld = true);
  }

  /**
   * Handles the release of the key. Also called when the page can no longer detect the release.
   * @returns {boolean} whether to close the microphone
   */
  release() {
    const wasHeld = this.#isHeld;
    this.#isHeld = false;
    return wasHeld;
  }
}
