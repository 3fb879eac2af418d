import Testing

@testable import CarillonClientCore

/// Tests of functions that `AudioVideoFacade` declares and that this version does not support. Such
/// a function only reports that this version does not support the function.
struct NotAvailableYetTests {
  @Test func `starting the internal camera throws an error if there is no such camera`()
    async throws
  {
    let fixture = SessionFixture()
    try await fixture.connect()
    let error = CarillonClientError.notAvailableYet("startLocalVideo with the internal camera")
    #expect(throws: error) { try fixture.audioVideo.startLocalVideo() }
    #expect(throws: error) {
      try fixture.audioVideo.startLocalVideo(config: LocalVideoConfiguration())
    }
  }

  @Test func `observers may be added and removed in any state`() {
    let audioVideo = SessionFixture().audioVideo
    let observer = EveryObserver()
    audioVideo.addMetricsObserver(observer: observer)
    audioVideo.addDeviceChangeObserver(observer: observer)
    audioVideo.addVideoTileObserver(observer: observer)
    audioVideo.addContentShareObserver(observer: observer)
    audioVideo.addRealtimeDataMessageObserver(topic: "t", observer: observer)
    audioVideo.addRealtimeTranscriptEventObserver(observer: observer)
    audioVideo.removeMetricsObserver(observer: observer)
    audioVideo.removeDeviceChangeObserver(observer: observer)
    audioVideo.removeVideoTileObserver(observer: observer)
    audioVideo.removeContentShareObserver(observer: observer)
    audioVideo.removeRealtimeDataMessageObserverFromTopic(topic: "t")
    audioVideo.removeRealtimeTranscriptEventObserver(observer: observer)
  }

  final class EveryObserver: MetricsObserver, DeviceChangeObserver, VideoTileObserver,
    ContentShareObserver, DataMessageObserver, TranscriptEventObserver
  {
    func metricsDidReceive(metrics: [AnyHashable: Any]) {}
    func audioDeviceDidChange(freshAudioDeviceList: [MediaDevice]) {}
    func videoTileDidAdd(tileState: VideoTileState) {}
    func videoTileDidRemove(tileState: VideoTileState) {}
    func videoTileDidPause(tileState: VideoTileState) {}
    func videoTileDidResume(tileState: VideoTileState) {}
    func videoTileSizeDidChange(tileState: VideoTileState) {}
    func contentShareDidStart() {}
    func contentShareDidStop(status: ContentShareStatus) {}
    func dataMessageDidReceived(dataMessage: DataMessage) {}
    func transcriptEventDidReceive(transcriptEvent: any TranscriptEvent) {}
  }
}
