import MeetingModel

/// How a meeting's media goes, over the last second.
struct MeetingStatistics {
  let meeting: MeetingID

  /// How many are in the mix now.
  let talkers: Int

  /// Who gets a mix.
  let listeners: Int
  let totals: MeetingTotals

  /// Packets that were dropped because their receiver was too slow.
  let droppedPackets: UInt64

  /// The participants in the order in which they were admitted.
  let participants: [ParticipantStatistics]
}

/// How one participant's media goes.
struct ParticipantStatistics {
  let speaker: ParticipantIdentity

  /// Whether its media connection is bound.
  let isConnected: Bool
  let isVoiceFocusEnabled: Bool
  let rights: SendRights
  let metrics: SessionMetrics?
  let audio: AudioStatistics
  let refusedPackets: UInt64
}
