/** Counts the attendees present in meetings. The list of meetings also counts attendees who have left. */
import { say } from "../elements.js";

/**
 * The number of rosters that one poll requests. If the page shows more meetings, successive polls
 * request the rosters of different meetings.
 */
const ROSTERS_PER_ROUND = 8;

export class PresentCounts {
  /** @type {Map<string, number>} */
  #counts = new Map();
  #turn = 0;

  /**
   * Returns the meetings whose rosters this poll requests.
   * @param {readonly string[]} listed ids of the meetings that the page shows
   * @returns {string[]} every meeting is among the results of `listed.length / 8` successive polls
   */
  round(listed) {
    for (const id of this.#counts.keys()) if (!listed.includes(id)) this.#counts.delete(id);
    const count = Math.min(ROSTERS_PER_ROUND, listed.length);
    const start = listed.length > count ? this.#turn : 0;
    this.#turn = listed.length ? (start + count) % listed.length : 0;
    return Array.from({ length: count }, (_, at) => listed[(start + at) % listed.length] ?? "");
  }

  /**
   * @param {string} meetingId
   * @param {number} count
   */
  set(meetingId, count) {
    this.#counts.set(meetingId, count);
  }

  /**
   * @param {string} meetingId
   * @returns {number | undefined} `undefined` before the first response
   */
  of(meetingId) {
    return this.#counts.get(meetingId);
  }
}

/** @param {number | undefined} count */
export function peopleText(count) {
  if (count === undefined) return "";
  return say("{count, plural, one {# person} other {# people}}", { count });
}
