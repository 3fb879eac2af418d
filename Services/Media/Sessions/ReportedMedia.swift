import MeetingModel

/// The last reported values of one session's media, so that only changes are reported.
struct ReportedMedia {
  var volume: VolumeLevel?
  var signal: SignalStrength?

  /// The statistics as they were a second ago.
  var audio = AudioStatistics()

  /// The counts as they were a second ago.
  var counts = SessionCounts()
}
