import { StatusCode } from "../carillon/carillon.js";

/**
 * The text that the page shows when a session has ended.
 *
 * @typedef {{ title: string, reason: string, mayRejoin: boolean }} Ending
 */

/** @type {Ending} */
export const movedEnding = Object.freeze({
  title: "You moved.",
  reason: "You are in the meeting in another tab of this browser.",
  mayRejoin: true,
});

/** @type {Readonly<Record<number, Ending>>} */
const endings = {
  [StatusCode.Left]: { title: "You left.", reason: "The meeting goes on without you.", mayRejoin: true },
  [StatusCode.MeetingEnded]: { title: "The meeting is over.", reason: "It was ended for everybody.", mayRejoin: false },
  [StatusCode.AudioJoinedFromAnotherDevice]: {
    title: "You are here twice.",
    reason: "This attendee joined again from another window or device, which took this one's place.",
    mayRejoin: true,
  },
  [StatusCode.AudioAttendeeRemoved]: {
    title: "You were removed.",
    reason: "Somebody who runs this server removed you from the meeting.",
    mayRejoin: false,
  },
  [StatusCode.AudioAuthenticationRejected]: {
    title: "You may not enter.",
    reason: "The server does not accept this entry any more; the meeting may be locked, or over.",
    mayRejoin: false,
  },
  [StatusCode.AudioCallAtCapacity]: {
    title: "The meeting is full.",
    reason: "When somebody leaves there is a place again.",
    mayRejoin: true,
  },
};

/** @type {Ending} */
const lost = {
  title: "The connection is lost.",
  reason: "The server could not be reached for two minutes, or it refused to go on.",
  mayRejoin: true,
};

/**
 * @param {import("../carillon/carillon.js").MeetingSessionStatus} status
 * @returns {Ending}
 */
export const endingOf = (status) => endings[status.statusCode] ?? lost;
