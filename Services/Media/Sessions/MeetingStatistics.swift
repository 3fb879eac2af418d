import MeetingModel

/// The statistics of a meeting's media for the last second.
struct MeetingStatistics {
  let meeting: MeetingID

  /// The present number of talkers in the mix.
  let talkers: Int

  /// The number of connected sessions that get a mix.
  let listeners: Int
  let totals: MeetingMediaTotals

  /// The number of packets that links dropped because the receivers of these links were too slow.
  let droppedPackets: UInt64

  /// The participants, in the order of ``MeetingMedia/sessions``.
  let participants: [ParticipantStatistics]
}

/// The statistics of one participant's media. ``metrics`` contains the counts.
struct ParticipantStatistics {
  let speaker: ParticipantIdentity

  /// Whether the participant has a media connection.
  let isConnected: Bool
  let isVoiceFocusEnabled: Bool
  let rights: MediaRights

  /// The metrics of the last second; `nil` while the participant is not connected.
  let metrics: ServerMeasuredMediaMetrics?
  let audio: AudioStatistics
}
