/** The room's texts and the texts of announcements. */
import { say } from "../../elements.js";
import { isolated } from "../names.js";

/**
 * Returns the values of a sentence about a few people. English sentences do not use the count, but
 * other languages need the count.
 * @param {readonly string[]} names
 */
const few = (names) => ({ names: names.map(isolated), count: names.length });

/**
 * Sentences about people. `few` sentences contain names, and `many` sentences contain a count.
 * @type {Readonly<Record<string, { few: (names: readonly string[]) => string, many: (count: number) => string }>>}
 */
export const sentences = Object.freeze({
  joined: {
    few: (names) => say("{names} joined.", few(names)),
    many: (count) => say("{count, plural, one {# person joined.} other {# people joined.}}", { count }),
  },
  left: {
    few: (names) => say("{names} left.", few(names)),
    many: (count) => say("{count, plural, one {# person left.} other {# people left.}}", { count }),
  },
  lost: {
    few: (names) => say("{names} lost the connection.", few(names)),
    many: (count) => say("{count, plural, one {# person lost the connection.} other {# people lost the connection.}}", { count }),
  },
  hand: {
    few: (names) => say("{names} raised a hand.", few(names)),
    many: (count) => say("{count, plural, one {# person raised a hand.} other {# people raised a hand.}}", { count }),
  },
  reaction: {
    few: (names) => say("{names} reacted.", few(names)),
    many: (count) => say("{count, plural, one {# person reacted.} other {# people reacted.}}", { count }),
  },
  share: {
    few: (names) => say("{count, plural, one {{names} shares a screen.} other {{names} share screens.}}", few(names)),
    many: (count) => say("{count, plural, one {# person shares a screen.} other {# people share screens.}}", { count }),
  },
  chat: {
    few: (names) => say("New messages from {names}.", few(names)),
    many: (count) => say("{count, plural, one {# new message in the chat.} other {# new messages in the chat.}}", { count }),
  },
});

export const words = Object.freeze({
  connectionLost: say("The connection is lost. Reconnecting."),
  connectedAgain: say("Connected again."),
  inMeeting: say("You are in the meeting."),
  devices: Object.freeze({
    microphone: Object.freeze({ on: say("Your microphone is on."), off: say("Your microphone is off.") }),
    camera: Object.freeze({ on: say("Your camera is on."), off: say("Your camera is off.") }),
  }),
  wrote: (/** @type {string} */ name, /** @type {string} */ text) =>
    say("{name} wrote: {text}", { name: isolated(name), text: isolated(text) }),
});

export const roomWords = Object.freeze({
  notLoaded: say("This part of the page did not load. Try again."),
  layouts: Object.freeze({ grid: say("Layout: everybody"), speaker: say("Layout: speaker"), content: say("Layout: shared screen") }),
  mutedByOther: say("You were muted. To unmute, press the microphone button. Only the operator can lift an operator's mute."),
  handLowered: say("A host lowered your hand."),
  noHostControls: say("The buttons of the host did not load. Load the page again."),
  noFullScreen: say("This browser does not show the page in full screen."),
  noSmallWindow: say("The browser opens no small window."),
  pin: (/** @type {string} */ name) => say("Show {name} large", { name }),
});
