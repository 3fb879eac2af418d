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
    reason: say("Somebody who runs this server removed you from the meeting."),
    mayRejoin: false,
  },
  [StatusCode.AudioAuthenticationRejected]: {
    title: say("You may not enter."),
    reason: say("The server does not accept this entry any more; the meeting may be locked, or over."),
    mayRejoin: false,
  },
  [StatusCode.AudioCallAtCapacity]: {
    title: say("The meeting is full."),
    reason: say("When somebody leaves there is a place again."),
    mayRejoin: true,
  },
};

/** @type {Ending} */
const lost = {
  title: say("The connection is lost."),
  reason: say("The server could not be reached for two minutes, or it refused to go on."),
  mayRejoin: true,
};

/**
 * @param {import("../carillon/carillon.js").MeetingSessionStatus} status
 * @returns {Ending}
 */
export const endingOf = (status) => endings[status.statusCode] ?? lost;
