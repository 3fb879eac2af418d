/**
 * What the operator's view asks of the server, and how long ago it was answered.
 *
 * @typedef {object} Meeting
 * @property {string} MeetingId
 * @property {string} ExternalMeetingId
 * @property {string} [CreatedAt]
 * @property {string} [PrimaryMeetingId]
 * @property {boolean} [Locked]
 *
 * @typedef {object} Attendee
 * @property {string} AttendeeId
 * @property {string} ExternalUserId
 * @property {string} [DisplayName] what people call the attendee
 * @property {string} [JoinedAt]
 * @property {boolean} [Muted]
 * @property {boolean} [MutedByOperator]
 * @property {string} [Volume] a word
 *
 * @typedef {{ present: Attendee[], barred: Attendee[] }} People those who are here, and those who
 *   were sent away
 *
 * @typedef {object} KeptMessage
 * @property {number} Sequence
 * @property {string} Topic
 * @property {string} [Text] where the bytes are UTF-8
 * @property {string} Data base64
 * @property {string} [ExternalUserId]
 * @property {string} [DisplayName]
 * @property {string} [SentAt]
 *
 * @typedef {{ name: string, isReady: boolean, startedAt: string }} ServiceState
 */

/** How many meetings one page has. */
const PAGE = 50;

/** How many pages of messages are read; a meeting keeps at most 1,024. */
const MESSAGE_PAGES = 11;

const segment = encodeURIComponent;

/**
 * What an attendee is called here.
 * @param {{ DisplayName?: string | undefined, ExternalUserId?: string | undefined }} who
 */
export const nameOf = ({ DisplayName, ExternalUserId }) => DisplayName || ExternalUserId || "";

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
    return /** @type {People} */ ({ present: answer?.Attendees ?? [], barred: answer?.Barred ?? [] });
  }

  /** @param {string} meetingId */
  async messages(meetingId) {
    /** @type {KeptMessage[]} */
    const messages = [];
    let query = "";
    for (let page = 0; page < MESSAGE_PAGES; page++) {
      const answer = await this.#api.get(`/carillon/v1/meetings/${segment(meetingId)}/messages${query}`);
      messages.push(...(answer?.Messages ?? []));
      if (!answer?.NextToken) break;
      query = `?next-token=${segment(answer.NextToken)}`;
    }
    return messages;
  }

  /** @returns {Promise<ServiceState[]>} */
  async services() {
    const answer = await this.#api.get("/carillon/v1/services");
    return (answer?.Instances ?? []).map((/** @type {any} */ { Instance, Ready, StartedAt }) => ({
      name: `${Instance}`,
      isReady: Ready === true,
      startedAt: StartedAt ?? "",
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
   * Lets somebody come back who was sent away.
   * @param {string} meetingId
   * @param {string} attendeeId
   */
  allow(meetingId, attendeeId) {
    return this.#attendee("POST", meetingId, attendeeId, "allow", {});
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
