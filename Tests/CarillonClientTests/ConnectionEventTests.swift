import ClientTestSupport
import Foundation
import TestSupport
import Testing
import Trials

@testable import CarillonClientCore

/// Tests of the events about connections, interruptions and failed starts.
@Suite(.timeLimit(.minutes(5))) struct ConnectionEventTests {
  private typealias Reporter = EventAnalyticsTests.Reporter

  private struct NoFiles: Error {}

  @Test func `events report when signalling opens, drops and reopens, and how long opening took`()
    async throws
  {
    let reporter = Reporter()
    let fixture = SessionFixture(reporter: reporter, observesEvents: true)
    try fixture.audioVideo.start()
    let delegate = try fixture.delegate
    delegate.signalingDidChange(.opening)
    fixture.time.advance(byMs: 40)
    delegate.signalingDidChange(.opened)
    #expect(
      reporter.attribute(.signalingOpenDurationMs, of: .videoClientSignalingOpened) as? Int64 == 40)
    delegate.mediaPathDidOpen(afterMs: 7)
    #expect(
      reporter.attribute(.iceGatheringDurationMs, of: .videoClientIceGatheringCompleted) as? Int64
        == 7)
    delegate.signalingDidChange(.dropped(.signalingClientDisconnected))
    #expect(
      reporter.attribute(.signalingDroppedError, of: .videoClientSignalingDropped)
        as? SignalingDroppedError == .signalingClientDisconnected)
    #expect(reporter.attribute(.retryCount, of: .videoClientSignalingDropped) as? Int == 0)
    delegate.signalingDidChange(.opening)
    fixture.time.advance(byMs: 900)
    delegate.signalingDidChange(.opened)
    #expect(
      reporter.attribute(.signalingOpenDurationMs, of: .videoClientSignalingOpened) as? Int64 == 900
    )
    fixture.audioVideo.stop()
    delegate.signalingDidChange(.dropped(.other))
    delegate.mediaPathDidOpen(afterMs: 1)
    let events = await fixture.recorder.lines().filter { $0.hasPrefix("event videoClient") }
    #expect(
      events == [
        "event videoClientSignalingOpened", "event videoClientIceGatheringCompleted",
        "event videoClientSignalingDropped", "event videoClientSignalingOpened",
      ])
  }

  @Test func `a content share reports signalling events of its own`() throws {
    let reporter = Reporter()
    let fixture = SessionFixture(reporter: reporter)
    fixture.audioVideo.startContentShare(source: ContentShareSource(ScriptedSource()))
    let delegate = try #require(fixture.contentConnection.delegate)
    delegate.signalingDidChange(.opening)
    fixture.time.advance(byMs: 3)
    delegate.signalingDidChange(.opened)
    delegate.mediaPathDidOpen(afterMs: 2)
    delegate.signalingDidChange(.dropped(.signalingClientClosed))
    #expect(
      fixture.history == [
        "contentShareStartRequested", "contentShareSignalingOpened",
        "contentShareIceGatheringCompleted", "contentShareSignalingDropped",
      ])
    #expect(
      reporter.attribute(.signalingOpenDurationMs, of: .contentShareSignalingOpened) as? Int64 == 3)
    #expect(
      reporter.attribute(.signalingDroppedError, of: .contentShareSignalingDropped)
        as? SignalingDroppedError == .signalingClientClosed)
  }

  @Test func `an interruption of sound is recorded in the history but not reported to observers`()
    async throws
  {
    let fixture = SessionFixture(observesEvents: true)
    try await fixture.connect()
    fixture.recorder.forget()
    try fixture.delegate.audioWasInterrupted()
    #expect(fixture.history.suffix(2) == ["audioInterruptionBegan", "audioInterruptionEnded"])
    #expect(await fixture.recorder.lines() == [])
  }

  @Test func `a start that fails in the link throws an error, causes an event and can be repeated`()
    async throws
  {
    let reporter = Reporter()
    let fixture = SessionFixture(reporter: reporter, observesEvents: true)
    fixture.connection.failStarts(with: NoFiles())
    #expect(throws: MediaError.audioFailedToStart) { try fixture.audioVideo.start() }
    #expect(
      reporter.attribute(.meetingStatus, of: .meetingStartFailed) as? MeetingSessionStatusCode
        == .audioServiceUnavailable)
    #expect(reporter.attribute(.meetingDurationMs, of: .meetingStartFailed) as? Int64 == 0)
    #expect(
      await fixture.recorder.lines() == [
        "connecting false", "event meetingStartRequested", "event meetingStartFailed",
      ])
    #expect(!fixture.audioVideo.realtimeLocalMute())
    #expect(throws: MediaError.audioFailedToStart) { try fixture.audioVideo.start() }
  }

  @Test func `a content share fails if the link cannot start the share`() async throws {
    let fixture = SessionFixture()
    let observer = ContentNotes()
    fixture.audioVideo.addContentShareObserver(observer: observer)
    fixture.contentConnection.failStarts(with: NoFiles())
    fixture.audioVideo.startContentShare(source: ContentShareSource(ScriptedSource()))
    _ = await fixture.recorder.lines()
    #expect(observer.stops == [.videoServiceFailed])
    #expect(fixture.history == ["contentShareStartRequested", "contentShareFailed"])
  }

  @Test func `the history records the loss and the return of a real connection`() async throws {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      gateway.relay.set(.cut)
      try await client.hears("dropped")
      gateway.relay.set(.open)
      try await client.hears("started true")
      let names = client.audioVideo.getMeetingHistory().map(\.meetingHistoryEventName)
      #expect(
        names.filter { "\($0)".hasPrefix("videoClient") } == [
          .videoClientSignalingOpened, .videoClientSignalingDropped, .videoClientSignalingOpened,
        ])
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }
}

private final class ContentNotes: ContentShareObserver {
  // The main thread writes the codes. The test reads them after it has waited for the main queue.
  nonisolated(unsafe) var stops: [ContentShareStatusCode] = []

  func contentShareDidStart() {}
  func contentShareDidStop(status: ContentShareStatus) { stops.append(status.statusCode) }
}
