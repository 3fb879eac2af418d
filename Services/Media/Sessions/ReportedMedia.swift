import MeetingModel

/// What others were told of one session's media: only what is new is told again.
struct ReportedMedia {
  var volume: VolumeLevel?
  var signal: SignalStrength?

  /// The statistics as they were a second ago.
  var audio = AudioStatistics()

  /// The counts as they were a second ago.
  var counts = SessionCounts()
}
