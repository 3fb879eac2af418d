/**
 * The people of a meeting as rows of a list: their names, their states and their order.
 *
 * @typedef {import("../carillon/meeting/roster.js").RosterEntry} RosterEntry
 *
 * @typedef {object} Happening the state of a meeting that the rows show
 * @property {ReadonlyMap<string, RosterEntry>} roster
 * @property {string} ownId
 * @property {readonly string[]} hands the ids of the attendees with a raised hand, the earliest first
 * @property {readonly string[]} speakers
 * @property {{ has: (attendeeId: string) => boolean }} cameras
 *
 * @typedef {object} Person
 * @property {string} id
 * @property {string} name
 * @property {boolean} isOwn
 * @property {number} hand the place among the raised hands, from 1; 0 without a raised hand
 * @property {boolean} isMuted
 * @property {boolean} speaks
 * @property {boolean} shares
 * @property {boolean} hasCamera
 */
import { baseOfId, isContentId } from "../carillon/carillon.js";

/**
 * Returns the people: first those with a raised hand, in the order in which they raised it, then
 * the user's own attendee, then the others by arrival.
 * @param {Happening} happening
 * @returns {Person[]}
 */
export function peopleOf({ roster, ownId, hands, speakers, cameras }) {
  const places = new Map(hands.map((id, at) => [id, at + 1]));
  const speaking = new Set(speakers);
  const entries = [...roster.values()];
  const sharing = new Set(entries.filter(({ attendeeId }) => isContentId(attendeeId)).map(({ attendeeId }) => baseOfId(attendeeId)));
  const people = entries
    .filter(({ attendeeId }) => !isContentId(attendeeId))
    .map(({ attendeeId: id, displayName: name, isMuted }) => ({
      id,
      name,
      isOwn: id === ownId,
      hand: places.get(id) ?? 0,
      isMuted,
      speaks: speaking.has(id) && !isMuted,
      shares: sharing.has(id),
      hasCamera: cameras.has(id),
    }));
  return people.sort((one, other) => rank(one) - rank(other));
}

/**
 * Returns the rank of a person. The sort keeps the order of people with the same rank.
 * @param {Person} person
 */
const rank = ({ hand, isOwn }) => hand || (isOwn ? Number.MAX_SAFE_INTEGER - 1 : Number.MAX_SAFE_INTEGER);
