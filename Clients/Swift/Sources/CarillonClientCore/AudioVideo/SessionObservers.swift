/// Those who hear of a session: the observers, the detector, the tiles, the content share, the
/// metrics and the analytics; and as whom they know its user.
struct SessionObservers: Sendable {
  let identity: LocalIdentity
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
  let metrics: MetricsBoard
  let contentShare: DefaultContentShareController
}
