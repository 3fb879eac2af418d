/// The receivers of a session's events, and the local attendee's identity.
///
/// The receivers are the observers, the detector, the tiles, the content share, the metrics and the
/// analytics.
struct SessionObservers: Sendable {
  let identity: LocalAttendeeIdentity
  let audioVideoObservers: ObserverRegistry<any AudioVideoObserver>
  let realtimeObservers: ObserverRegistry<any RealtimeObserver>
  let dataMessageObservers: DataMessageObservers
  let dataMessageLogObservers: ObserverRegistry<any DataMessageLogObserver>
  let transcriptObservers: ObserverRegistry<any TranscriptEventObserver>
  let tiles: VideoTileTable
  let localVideo: LocalVideo
  let activeSpeakerDetector: DefaultActiveSpeakerDetector
  let eventAnalytics: DefaultEventAnalyticsController
  let statistics: MeetingStatisticsCollector
  let metrics: MetricsCollector
  let contentShare: DefaultContentShareController
}
