import CarillonClient
import ClientTestSupport
import Foundation
import TestSupport
import Testing
import Trials
import Wire

@testable import CarillonClientCore

/// Tests of sessions without media. Such a session reports that it has no media. A session that
/// requires media cannot start without media.
@Suite(.timeLimit(.minutes(5))) struct WithoutMediaTests {
  private struct NoFiles: Error {}

  @Test func `calls that need media throw, fail or log an error, and send nothing`() async throws {
    let fixture = SessionFixture(
      makeCamera: { ScriptedSource() }, makeMedia: { nil })
    let observer = ContentEnd()
    fixture.audioVideo.addContentShareObserver(observer: observer)
    try await fixture.connect()
    #expect(throws: CarillonClientError.noMedia("startLocalVideo")) {
      try fixture.audioVideo.startLocalVideo()
    }
    let source = ScriptedSource()
    fixture.audioVideo.startLocalVideo(source: source)
    fixture.audioVideo.startContentShare(source: ContentShareSource(source))
    fixture.audioVideo.bindVideoView(videoView: DefaultVideoRenderView(), tileId: 1)
    fixture.audioVideo.addMetricsObserver(observer: NoMetrics())
    fixture.session.encodedVideo.addEncodedVideoSink(sink: EncodedNothing(), tileId: 1)
    _ = await fixture.recorder.lines()
    #expect(observer.stops == [.videoServiceFailed])
    #expect(fixture.history.suffix(2) == ["contentShareStartRequested", "contentShareFailed"])
    #expect(fixture.connection.wishes == [] && fixture.contentConnection.starts == [])
    #expect(source.sinkCount == 0)
    let calls = [
      "startLocalVideo", "startContentShare", "bindVideoView", "addMetricsObserver",
      "addEncodedVideoSink",
    ]
    for call in calls {
      #expect(
        fixture.logger.lines.count { $0.contains("\(call): the session carries no media.") } == 1)
    }
  }

  @Test func `a session cannot start if its media engine cannot be created`() throws {
    let session = SessionComponents(
      configuration: SessionFixture().session.configuration, logger: RecordingLogger(),
      eventReporterFactory: nil, permissionProvider: FixedPermissionProvider(),
      makeMedia: { _ in throw NoFiles() })
    #expect(throws: MediaError.audioFailedToStart) { try session.audioVideo.start() }
    #expect(
      session.eventAnalyticsController.getMeetingHistory().map(\.meetingHistoryEventName)
        == [.appStateChanged, .meetingStartRequested, .meetingStartFailed])
  }

  @Test func `a default session joins with audio, and a session without media joins without audio`()
    async throws
  {
    try await withScriptedGateway { gateway in
      let configuration = SessionFixture.configuration(at: gateway.url)
      let logger = RecordingLogger()
      let sessions: [any MeetingSession] = [
        DefaultMeetingSession(configuration: configuration, logger: logger),
        DefaultMeetingSession(
          configuration: configuration, logger: logger,
          eventReporterFactory: NoopEventReporterFactory()),
        MeetingSessionWithoutMedia(configuration: configuration, logger: logger),
      ]
      for (count, session) in sessions.enumerated() {
        try session.audioVideo.start()
        try await gateway.starts.wait(for: "the start") { $0.count == count + 1 }
        session.audioVideo.stop()
      }
      #expect(gateway.starts.entries.map(\.audio) == [.sendReceive, .sendReceive, .none])
    }
  }
}

private final class ContentEnd: ContentShareObserver {
  // The main thread writes the codes. The test reads them after it has waited for the main queue.
  nonisolated(unsafe) var stops: [ContentShareStatusCode] = []

  func contentShareDidStart() {}
  func contentShareDidStop(status: ContentShareStatus) { stops.append(status.statusCode) }
}

private final class NoMetrics: MetricsObserver {
  func metricsDidReceive(metrics: [AnyHashable: Any]) {}
}
