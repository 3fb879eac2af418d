import { say } from "../elements.js";
import { StatusCode } from "../carillon/carillon.js";

/**
 * The text that the page shows when a session has ended.
 *
 * @typedef {{ title: string, reason: string, mayRejoin: boolean }} Ending
 */

/** @type {Ending} */
export const movedEnding = Object.freeze({
  title: say("You moved."),
  reason: say("You are in the meeting in another tab of this browser."),
  mayRejoin: true,
});

/** @type {Readonly<Record<number, Ending>>} */
const endings = {
  [StatusCode.Left]: { title: say("You left."), reason: say("The meeting goes on without you."), mayRejoin: true },
  [StatusCode.MeetingEnded]: { title: say("The meeting is over."), reason: say("It was ended for everybody."), mayRejoin: false },
  [StatusCode.AudioJoinedFromAnotherDevice]: {
    title: say("You are here twice."),
    reason: say("This attendee joined again from another window or device, which took this one's place."),
    mayRejoin: true,
  },
  [StatusCode.AudioAttendeeRemoved]: {
    title: say("You were removed."),
    reason: say("A host or an operator of this server removed you from the meeting. Ask them to let you in again."),
    mayRejoin: false,
  },
  [StatusCode.AudioAuthenticationRejected]: {
    title: say("You may not enter."),
    reason: say("The server does not let you into this meeting: it may be locked or over, or you were removed. Ask a host for a new link."),
    mayRejoin: false,
  },
  [StatusCode.AudioCallAtCapacity]: {
    title: say("The meeting is full."),
    reason: say("Join again after somebody has left."),
    mayRejoin: true,
  },
};

/** @type {Ending} */
const lost = {
  title: say("The connection is lost."),
  reason: say("The page did not reach the server for two minutes, or the server ended the connection. Check your network, and join again."),
  mayRejoin: true,
};

/**
 * @param {import("../carillon/carillon.js").MeetingSessionStatus} status
 * @returns {Ending}
 */
export const endingOf = (status) => endings[status.statusCode] ?? lost;
