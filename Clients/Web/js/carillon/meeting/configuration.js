/**
 * What a session is made from: the answers of CreateMeeting and CreateAttendee.
 *
 * @typedef {object} MeetingSessionConfiguration
 * @property {string} meetingId
 * @property {string} externalMeetingId
 * @property {string} attendeeId
 * @property {string} externalUserId
 * @property {string} joinToken proves who joins; it goes into no address and no log
 * @property {string} signalingUrl
 * @property {string} audioHostUrl
 */

/**
 * Reads the two answers, with or without their outer member.
 * @param {any} createMeetingResponse
 * @param {any} createAttendeeResponse
 * @param {(url: string) => string} [urlRewriter] gives the address to connect to instead
 * @returns {MeetingSessionConfiguration}
 * @throws {TypeError} when something is missing
 */
export function meetingSessionConfiguration(
  createMeetingResponse,
  createAttendeeResponse,
  urlRewriter = (url) => url,
) {
  const meeting = createMeetingResponse?.Meeting ?? createMeetingResponse;
  const attendee = createAttendeeResponse?.Attendee ?? createAttendeeResponse;
  const placement = meeting?.MediaPlacement;
  return {
    meetingId: text(meeting?.MeetingId, "MeetingId"),
    externalMeetingId: meeting?.ExternalMeetingId ?? "",
    attendeeId: text(attendee?.AttendeeId, "AttendeeId"),
    externalUserId: text(attendee?.ExternalUserId, "ExternalUserId"),
    joinToken: text(attendee?.JoinToken, "JoinToken"),
    signalingUrl: urlRewriter(text(placement?.SignalingUrl, "MediaPlacement.SignalingUrl")),
    audioHostUrl: placement?.AudioHostUrl ?? "",
  };
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {string}
 */
function text(value, name) {
  if (typeof value === "string" && value !== "") return value;
  throw new TypeError(`A meeting session needs ${name}.`);
}
