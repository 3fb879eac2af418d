/**
 * The roster of a meeting: an immutable value, and the changes that each frame makes to it.
 *
 * @typedef {object} AttendeeInfo
 * @property {string} attendeeId
 * @property {string} externalUserId the application's own id of the attendee
 * @property {string} displayName the attendee's display name, or the external user id if there is
 *   none
 *
 * @typedef {AttendeeInfo & {
 *   streamId: number, isMuted: boolean, volume: number, signalStrength: number
 * }} RosterEntry `volume` and `signalStrength` range from 0 to 1
 *
 * @typedef {object} Roster
 * @property {ReadonlyMap<string, RosterEntry>} attendees by attendee id, in the order in which they
 *   joined
 * @property {ReadonlyMap<number, string>} streams the attendee ids, by audio stream id
 *
 * @typedef {object} RosterChanges
 * @property {AttendeeInfo[]} joined
 * @property {AttendeeInfo[]} left
 * @property {AttendeeInfo[]} dropped
 * @property {AttendeeInfo[]} muted
 * @property {AttendeeInfo[]} unmuted
 * @property {{ attendeeInfo: AttendeeInfo, volume: number, isMuted: boolean }[]} volumes
 * @property {{ attendeeInfo: AttendeeInfo, signalStrength: number }[]} signals
 */

/** @type {Roster} */
export const emptyRoster = Object.freeze({ attendees: new Map(), streams: new Map() });

/** @returns {RosterChanges} */
const noChanges = () => ({
  joined: [],
  left: [],
  dropped: [],
  muted: [],
  unmuted: [],
  volumes: [],
  signals: [],
});

/** @param {RosterEntry} entry */
const infoOf = ({ attendeeId, externalUserId, displayName }) => ({ attendeeId, externalUserId, displayName });

/**
 * Converts a level in decibels below full scale to a volume from 0 to 1. A level of 42 dB or more
 * becomes 0 (silence), and a level of 14 dB or less becomes 1.
 * @param {number} attenuation the attenuation, as on the wire; 0 is the loudest
 */
export const normalizedVolume = (attenuation) => Math.min(1, Math.max(0, (42 - attenuation) / 28));

/**
 * Applies an AUDIO_STREAM_ID_INFO frame.
 *
 * Entries apply in order. An entry with an attendee id means that the attendee is present. An entry
 * with neither an attendee id nor a mute state means that the stream ended; the attendee leaves
 * unless the attendee has a newer stream.
 * @param {Roster} roster the roster before the frame
 * @param {import("../wire/codec.js").Decoded[]} streams the entries of the frame
 * @param {{ isComplete: boolean, localAttendeeId: string }} how whether the frame is the whole
 *   roster; if so, all attendees that the frame does not list have left, except the local attendee
 * @returns {[Roster, RosterChanges]}
 */
export function applyPresence(roster, streams, { isComplete, localAttendeeId }) {
  const attendees = new Map(roster.attendees);
  const byStream = new Map(roster.streams);
  const changes = noChanges();
  /** @type {Set<string>} */
  const listed = new Set();

  for (const stream of streams) {
    const streamId = stream["audio_stream_id"] ?? 0;
    if (streamId === 0) continue;
    const namedId = stream["attendee_id"];
    if (namedId) {
      listed.add(namedId);
      byStream.set(streamId, namedId);
      const known = attendees.get(namedId);
      const externalUserId = stream["external_user_id"] || known?.externalUserId || namedId;
      /** @type {RosterEntry} */
      const entry = {
        attendeeId: namedId,
        externalUserId,
        displayName: stream["display_name"] || known?.displayName || externalUserId,
        streamId: Math.max(streamId, known?.streamId ?? 0),
        isMuted: known?.isMuted ?? false,
        volume: known?.volume ?? 0,
        signalStrength: known?.signalStrength ?? 1,
      };
      attendees.set(namedId, entry);
      if (!known) changes.joined.push(infoOf(entry));
    }
    const attendeeId = byStream.get(streamId);
    const entry = attendeeId === undefined ? undefined : attendees.get(attendeeId);
    if (stream["muted"] !== undefined) {
      if (entry) mute(attendees, entry, stream["muted"], changes);
    } else if (!namedId) {
      byStream.delete(streamId);
      if (entry && entry.streamId === streamId) {
        attendees.delete(entry.attendeeId);
        (stream["dropped"] ? changes.dropped : changes.left).push(infoOf(entry));
      }
    }
  }
  if (isComplete) {
    for (const entry of [...attendees.values()]) {
      if (listed.has(entry.attendeeId) || entry.attendeeId === localAttendeeId) continue;
      attendees.delete(entry.attendeeId);
      changes.left.push(infoOf(entry));
    }
    for (const [streamId, attendeeId] of byStream) {
      if (!attendees.has(attendeeId)) byStream.delete(streamId);
    }
  }
  return [{ attendees, streams: byStream }, changes];
}

/**
 * @param {Map<string, RosterEntry>} attendees
 * @param {RosterEntry} entry
 * @param {boolean} isMuted
 * @param {RosterChanges} changes
 */
function mute(attendees, entry, isMuted, changes) {
  if (entry.isMuted === isMuted) return;
  attendees.set(entry.attendeeId, { ...entry, isMuted, volume: isMuted ? 0 : entry.volume });
  (isMuted ? changes.muted : changes.unmuted).push(infoOf(entry));
}

/**
 * Applies an AUDIO_METADATA frame. If any entry has a volume, attendees without a volume are
 * silent. If any entry has a signal strength, attendees without a signal strength have a good
 * signal.
 * @param {Roster} roster the roster before the frame
 * @param {import("../wire/codec.js").Decoded[]} states the entries of the frame
 * @returns {[Roster, RosterChanges]}
 */
export function applyLevels(roster, states) {
  const changes = noChanges();
  /** @type {Map<string, number>} */
  const volumes = new Map();
  /** @type {Map<string, number>} */
  const signals = new Map();
  for (const state of states) {
    const attendeeId = roster.streams.get(state["audio_stream_id"] ?? 0);
    if (attendeeId === undefined) continue;
    if (state["volume"] !== undefined) volumes.set(attendeeId, normalizedVolume(state["volume"]));
    if (state["signal_strength"] !== undefined) {
      signals.set(attendeeId, Math.min(1, state["signal_strength"] / 2));
    }
  }
  const tellsVolumes = states.some((state) => state["volume"] !== undefined);
  const tellsSignals = states.some((state) => state["signal_strength"] !== undefined);
  if (!tellsVolumes && !tellsSignals) return [roster, changes];

  const attendees = new Map(roster.attendees);
  for (const entry of roster.attendees.values()) {
    const loudness = tellsVolumes ? (volumes.get(entry.attendeeId) ?? 0) : entry.volume;
    const volume = entry.isMuted ? 0 : loudness;
    const signalStrength = tellsSignals ? (signals.get(entry.attendeeId) ?? 1) : entry.signalStrength;
    const attendeeInfo = infoOf(entry);
    if (volume !== entry.volume) changes.volumes.push({ attendeeInfo, volume, isMuted: entry.isMuted });
    if (signalStrength !== entry.signalStrength) changes.signals.push({ attendeeInfo, signalStrength });
    attendees.set(entry.attendeeId, { ...entry, volume, signalStrength });
  }
  return [{ ...roster, attendees }, changes];
}
