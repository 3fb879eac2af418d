import MeetingModel

/// One piece of one talker's speech, at 16 kHz and with one channel.
struct TalkerChunk: Hashable, Sendable {
  /// The number of the talker in its feed.
  let talker: Int
  let speaker: ParticipantIdentity

  /// The number of the chunk among this talker's chunks in the feed, from 1.
  let sequence: UInt64

  /// The time at which the talker spoke the first sample, in milliseconds since 1970.
  let start: UInt64
  let samples: [Int16]

  /// The milliseconds of speech that the feed dropped directly before this chunk, because the feed
  /// had no credit.
  var lost: Int

  /// Whether the talker fell silent or left, or a mute began.
  let isLast: Bool
}
