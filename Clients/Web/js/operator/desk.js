/**
 * The requests of the operator page to the server, and their response types.
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
 * @property {string} [DisplayName] the attendee's display name
 * @property {string} [JoinedAt]
 * @property {boolean} [Muted]
 * @property {boolean} [MutedByOperator]
 * @property {string} [Volume] `Muted`, `NotSpeaking`, `Low`, `Medium` or `High`
 *
 * @typedef {{ present: Attendee[], barred: Attendee[] }} People the attendees who are present, and
 *   the attendees whom an operator removed
 *
 * @typedef {object} KeptMessage
 * @property {number} Sequence
 * @property {string} Topic
 * @property {string} [Text] set if the data is UTF-8
 * @property {string} Data base64
 * @property {string} [ExternalUserId]
 * @property {string} [DisplayName]
 * @property {string} [SentAt]
 *
 * @typedef {{ name: string, isReady: boolean, startedAt: string }} ServiceState
 *
 * @typedef {object} ReceivedTile the video of one source for one attendee
 * @property {number} TileId
 * @property {string} [DisplayName] the display name of the publisher
 * @property {string} ExternalUserId the external user id of the publisher
 * @property {"Camera" | "Content"} Kind
 * @property {number} Layer the number of the layer, from 1; 0 if the server sends nothing
 * @property {number} LayerCount
 * @property {number} [Width]
 * @property {number} [Height]
 * @property {number} [BitsPerSecond]
 * @property {string} Reason
 *
 * @typedef {{ tiles: ReceivedTile[], bitrate: number | undefined }} ReceivedVideo `bitrate` is the
 *   estimated capacity of the attendee's link, in bit/s
 */

/** The number of meetings in one page. */
const PAGE = 50;

/** The largest number of message pages to read. A meeting keeps at most 1,024 messages. */
const MESSAGE_PAGES = 11;

const segment = encodeURIComponent;

/**
 * Returns the name that the page shows for an attendee.
 * @param {{ DisplayName?: string | undefined, ExternalUserId?: string | undefined }} who
 */
export const nameOf = ({ DisplayName, ExternalUserId }) => DisplayName || ExternalUserId || "";

/**
 * Returns the name that the page shows for a meeting.
 * @param {Meeting} meeting
 */
export const nameOfMeeting = ({ ExternalMeetingId, MeetingId }) => ExternalMeetingId || MeetingId;

export class Desk {
  #api;

  /** @param {import("../control-api.js").ControlAPI} api */
  constructor(api) {
    this.#api = api;
  }

  /** @param {string} [token] the token of the next page */
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
   */
  async receivedVideo(meetingId, attendeeId) {
    const path = `/carillon/v1/meetings/${segment(meetingId)}/attendees/${segment(attendeeId)}/received-video`;
    const answer = await this.#api.get(path);
    return /** @type {ReceivedVideo} */ ({ tiles: answer?.Tiles ?? [], bitrate: answer?.DownlinkBitsPerSecond });
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
   * Lets a removed attendee join again.
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
   * Ends a meeting for everyone.
   * @param {string} meetingId
   */
  end(meetingId) {
    return this.#api.call("DELETE", `/meetings/${segment(meetingId)}`);
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
