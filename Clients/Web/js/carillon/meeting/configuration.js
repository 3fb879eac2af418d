/**
 * The configuration of a session, from the responses of CreateMeeting and CreateAttendee.
 *
 * @typedef {object} MeetingSessionConfiguration
 * @property {string} meetingId
 * @property {string} externalMeetingId
 * @property {string} attendeeId
 * @property {string} externalUserId
 * @property {string} joinToken authenticates the attendee; never part of a URL or a log
 * @property {string} signalingUrl
 * @property {string} audioHostUrl
 */

/**
 * Reads the two responses. Each may have its outer member (`Meeting` or `Attendee`) or lack it.
 * @param {any} createMeetingResponse
 * @param {any} createAttendeeResponse
 * @param {(url: string) => string} [urlRewriter] returns the URL that replaces a URL of the
 *   responses
 * @returns {MeetingSessionConfiguration}
 * @throws {TypeError} when a required member is missing
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
