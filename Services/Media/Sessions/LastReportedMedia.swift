import MeetingModel

/// The last reported values of one session's media, so that the service reports only changes.
struct LastReportedMedia {
  var volume: VolumeLevel?
  var signal: SignalStrength?

  /// The audio statistics at the last report, one second ago.
  var audio = AudioStatistics()

  /// The counts at the last report, one second ago.
  var counts = SessionMediaCounts()
}
