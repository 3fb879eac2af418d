/**
 * What the operator's view asks of the server, and how long ago it was answered.
 *
 * @typedef {object} Meeting
 * @property {string} MeetingId
 * @property {string} ExternalMeetingId
 * @property {string} [CreatedAt]
 * @property {number} [AttendeeCount]
 * @property {string} [PrimaryMeetingId]
 * @property {boolean} [Locked]
 *
 * @typedef {object} Attendee
 * @property {string} AttendeeId
 * @property {string} ExternalUserId
 * @property {string} [JoinedAt]
 * @property {boolean} [Muted]
 * @property {boolean} [MutedByOperator]
 * @property {number} [Volume]
 *
 * @typedef {object} KeptMessage
 * @property {string} Topic
 * @property {string} [Text]
 * @property {string} [Data] base64
 * @property {string} SenderExternalUserId
 * @property {string} [Timestamp]
 *
 * @typedef {{ name: string, isReady: boolean, note: string }} ServiceState
 */

/** How many meetings one page has. */
const PAGE = 50;

const segment = encodeURIComponent;

export class Desk {
  #api;

  /** @param {import("../control-api.js").ControlAPI} api */
  constructor(api) {
    this.#api = api;
  }

  /** @param {string} [token] of the next page */
  async meetings(token) {
    const more = token ? `&next-token=${segment(token)}` : "";
    const answer = await this.#api.get(`/carillon/v1/meetings?max-results=${PAGE}${more}`);
    return {
      meetings: /** @type {Meeting[]} */ (answer?.Meetings ?? []),
      next: /** @type {string | undefined} */ (answer?.NextToken),
    };
  }

  /** @param {string} meetingId */
  async roster(meetingId) {
    const answer = await this.#api.get(`/carillon/v1/meetings/${segment(meetingId)}/roster`);
    return /** @type {Attendee[]} */ (answer?.Attendees ?? []);
  }

  /** @param {string} meetingId */
  async messages(meetingId) {
    const answer = await this.#api.get(`/carillon/v1/meetings/${segment(meetingId)}/messages`);
    return /** @type {KeptMessage[]} */ (answer?.Messages ?? []);
  }

  /** @returns {Promise<ServiceState[]>} */
  async services() {
    const answer = await this.#api.get("/carillon/v1/services");
    return (answer?.Services ?? []).map((/** @type {any} */ each) => ({
      name: `${each.Instance ?? each.Name ?? each.Service}`,
      isReady: (each.Ready ?? each.State === "ready") === true,
      note: each.FailingCheck ?? each.Detail ?? "",
    }));
  }

  /**
   * @param {string} meetingId
   * @param {string} attendeeId
   * @param {boolean} isMuted
   */
  mute(meetingId, attendeeId, isMuted) {
    return this.#attendee("PUT", meetingId, attendeeId, "mute", { Muted: isMuted });
  }

  /**
   * @param {string} meetingId
   * @param {string} attendeeId
   */
  kick(meetingId, attendeeId) {
    return this.#attendee("POST", meetingId, attendeeId, "kick", {});
  }

  /**
   * @param {string} meetingId
   * @param {boolean} isLocked
   */
  lock(meetingId, isLocked) {
    return this.#api.call("PUT", `/carillon/v1/meetings/${segment(meetingId)}/lock`, { Locked: isLocked });
  }

  /**
   * @param {string} method
   * @param {string} meetingId
   * @param {string} attendeeId
   * @param {string} what
   * @param {unknown} body
   */
  #attendee(method, meetingId, attendeeId, what, body) {
    const path = `/carillon/v1/meetings/${segment(meetingId)}/attendees/${segment(attendeeId)}/${what}`;
    return this.#api.call(method, path, body);
  }
}
