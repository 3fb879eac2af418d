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

/// How one participant's media goes. Counts are in its metrics.
struct ParticipantStatistics {
  let speaker: ParticipantIdentity

  /// Whether its media connection is bound.
  let isConnected: Bool
  let isVoiceFocusEnabled: Bool
  let rights: SendRights

  /// Of the last second; `nil` while it is not connected.
  let metrics: SessionMetrics?
  let audio: AudioStatistics
}
