import ClientTestSupport
import Foundation
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import CarillonClientCore

/// Tests of content shares.
@Suite(.timeLimit(.minutes(5))) struct ContentShareTests {
  // MARK: Requests to the link

  private func fixture() -> SessionFixture {
    let fixture = SessionFixture(observesEvents: true)
    fixture.audioVideo.addContentShareObserver(observer: fixture.recorder)
    return fixture
  }

  private func heard(_ fixture: SessionFixture) async -> [String] {
    defer { fixture.recorder.forget() }
    return await fixture.recorder.lines()
  }

  /// Covers rule 42 of the conformance list for `AudioVideoFacade`.
  @Test(arguments: [
    ("abc", "abc", nil), ("abc#content", "abc", "content"), ("abc#x", "abc", "x"),
    ("abc#content#y", "abc", nil), ("abc##content", "abc", "content"),
    ("#content", "content", nil), ("", "", nil),
  ])
  func `an attendee id is split into its base id and its modality`(
    id: String, base: String, modality: String?
  ) {
    let parts = DefaultModality(id: id)
    #expect((parts.base, parts.modality) == (base, modality))
    #expect(parts.isOfType(type: .content) == (modality == "content"))
  }

  /// Covers rule 44 of the conformance list for `AudioVideoFacade`.
  @Test func `a content share needs no started session and continues after the session's stop`()
    async throws
  {
    let fixture = fixture()
    let source = ScriptedSource()
    source.videoContentHint = .text
    fixture.audioVideo.startContentShare(
      source: ContentShareSource(source),
      config: LocalVideoConfiguration(maxBitRateKbps: 200))
    let start = try #require(fixture.contentConnection.starts.first)
    #expect((start.attendeeId, start.joinToken) == ("ada#content", "secret#content"))
    #expect((start.externalUserId, start.meetingId) == ("Ada L.", "m"))
    guard case .publish(let declaration) = fixture.contentConnection.wishes.first else {
      throw TimeoutError("a publish", after: .zero)
    }
    #expect((declaration.kind, declaration.hint) == (.content, .text))
    #expect(declaration.layers.map(\.bitsPerSecond) == [200_000])
    fixture.contentConnection.delegate?.videoDidTell(.published(number: 1, tileId: 4))
    #expect(
      await heard(fixture) == [
        "event contentShareStartRequested", "event contentShareStarted", "share started",
      ])
    try await fixture.connect()
    fixture.audioVideo.stop()
    _ = await heard(fixture)
    #expect((fixture.connection.stopCount, fixture.contentConnection.stopCount) == (1, 0))
    #expect(source.sinkCount == 1)
    fixture.audioVideo.stopContentShare()
    #expect(fixture.contentConnection.wishes.last == .unpublish)
    fixture.contentConnection.delegate?.videoDidTell(.unpublished(number: 1))
    #expect(await heard(fixture) == ["event contentShareStopped", "share stopped ok"])
    #expect((fixture.contentConnection.stopCount, source.sinkCount) == (1, 0))
  }

  /// Covers rule 45 of the conformance list for `AudioVideoFacade`.
  @Test func `starting a share without a source does nothing`() async {
    let fixture = fixture()
    fixture.audioVideo.startContentShare(source: ContentShareSource())
    #expect(await heard(fixture) == [])
    #expect(fixture.logger.lines.isEmpty && fixture.contentConnection.starts.isEmpty)
  }

  @Test func `a second start of the share replaces the source in the same session`() async {
    let fixture = fixture()
    let (first, second) = (ScriptedSource(), ScriptedSource())
    fixture.audioVideo.startContentShare(source: ContentShareSource(first))
    fixture.audioVideo.startContentShare(source: ContentShareSource(second))
    #expect(fixture.contentConnection.starts.count == 1)
    #expect((first.sinkCount, second.sinkCount) == (0, 1))
    fixture.contentConnection.delegate?.videoDidTell(.published(number: 1, tileId: 4))
    fixture.contentConnection.delegate?.videoDidTell(.published(number: 2, tileId: 4))
    #expect(
      await heard(fixture) == [
        "event contentShareStartRequested", "event contentShareStartRequested",
        "event contentShareStarted", "share started",
      ])
  }

  @Test func `a stop cancels a pending share, and a stop without a share does nothing`() async {
    let fixture = fixture()
    let source = ScriptedSource()
    fixture.audioVideo.stopContentShare()
    fixture.audioVideo.startContentShare(source: ContentShareSource(source))
    fixture.audioVideo.stopContentShare()
    fixture.audioVideo.stopContentShare()
    #expect((fixture.contentConnection.stopCount, source.sinkCount) == (1, 0))
    #expect(
      await heard(fixture) == [
        "event contentShareStartRequested", "event contentShareStopped", "share stopped ok",
      ])
  }

  @Test(arguments: [ConnectionState.failedToConnect, .serverHungUp, .disconnectedAbnormally])
  func `a failure ends the share, and the share may be started again`(state: ConnectionState) async
  {
    let fixture = fixture()
    let source = ScriptedSource()
    fixture.audioVideo.startContentShare(source: ContentShareSource(source))
    fixture.contentConnection.delegate?.connectionDidChange(state, status: .unknown)
    fixture.contentConnection.delegate?.connectionDidChange(state, status: .unknown)
    #expect(
      await heard(fixture) == [
        "event contentShareStartRequested", "event contentShareFailed",
        "share stopped videoServiceFailed",
      ])
    #expect(source.sinkCount == 0)
    fixture.audioVideo.startContentShare(source: ContentShareSource(source))
    #expect((fixture.contentConnection.starts.count, source.sinkCount) == (2, 1))
  }

  @Test func `a share restarts after a lost connection unless the share is being stopped`() async {
    let fixture = fixture()
    fixture.audioVideo.startContentShare(source: ContentShareSource(ScriptedSource()))
    let delegate = fixture.contentConnection.delegate
    delegate?.videoDidTell(.published(number: 1, tileId: 4))
    delegate?.connectionDidChange(.reconnecting, status: .ok)
    delegate?.connectionDidChange(.connected, status: .ok)
    delegate?.videoDidTell(.published(number: 1, tileId: 4))
    #expect((await heard(fixture)).count { $0 == "share started" } == 2)
    fixture.audioVideo.stopContentShare()
    delegate?.connectionDidChange(.reconnecting, status: .ok)
    #expect(await heard(fixture) == ["event contentShareStopped", "share stopped ok"])
    #expect(fixture.contentConnection.stopCount == 1)
  }

  @Test func `a share that is started while the earlier share stops is a new share`() async {
    let fixture = fixture()
    fixture.audioVideo.startContentShare(source: ContentShareSource(ScriptedSource()))
    let first = fixture.contentConnection.delegate
    first?.videoDidTell(.published(number: 1, tileId: 4))
    fixture.audioVideo.stopContentShare()
    fixture.audioVideo.startContentShare(source: ContentShareSource(ScriptedSource()))
    #expect((fixture.contentConnection.starts.count, fixture.contentConnection.stopCount) == (2, 1))
    first?.videoDidTell(.unpublished(number: 1))
    fixture.contentConnection.delegate?.videoDidTell(.published(number: 2, tileId: 5))
    #expect(
      await heard(fixture).filter { $0.hasPrefix("share") } == [
        "share started", "share stopped ok", "share started",
      ])
    #expect(fixture.contentConnection.stopCount == 1)
  }

  // MARK: Over sockets

  /// Covers rules 43 and 44 of the conformance list for `AudioVideoFacade`.
  @Test func `a share is a second session, and the sharer gets no tile for the share`()
    async throws
  {
    try await withScriptedGateway { gateway in
      gateway.onStart = { _, count in .opened(count) }
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      client.audioVideo.startRemoteVideo()
      client.audioVideo.startContentShare(source: ContentShareSource(ScriptedSource()))
      try await client.sees("share started")
      let start = gateway.starts.entries[1]
      #expect((start.attendeeID, start.joinToken) == ("ada#content", "secret#content"))
      #expect(start.audio == .none && start.video == nil)
      #expect(gateway.video.publishers.entries == [V1.SessionStarted.opened(1).sessionID])
      gateway.say(
        .tileBoardSnapshot(.board(.of("ada#content", 9), .of("bob", 1), tiles: [.bob(1)])))
      try await client.begins(1)
      await client.give(9)
      client.audioVideo.stop()
      try await client.hears("stopped ok")
      #expect(client.seen.entries.filter { $0.contains("ada") } == [])
      #expect(client.seen.entries.filter { $0.hasPrefix("share") } == ["share started"])
      client.audioVideo.stopContentShare()
      try await client.sees("share stopped ok")
      #expect(gateway.video.asked.entries.last == .unpublish(.content))
      try await gateway.stops.wait(for: "both leaves") { $0.count == 2 }
    }
  }

  /// Covers rule 46 of the conformance list for `AudioVideoFacade`.
  @Test func `a third share is refused and can be retried later`() async throws {
    try await withScriptedGateway { gateway in
      gateway.refusesStart = { request, count in
        count == 0 ? Status(.resourceExhausted, "All 2 content shares are in use.") : nil
      }
      let client = ConnectedClient(to: gateway.url)
      client.audioVideo.startContentShare(source: ContentShareSource(ScriptedSource()))
      try await client.sees("share stopped videoServiceFailed")
      client.audioVideo.startContentShare(source: ContentShareSource(ScriptedSource()))
      try await client.sees("share started")
      client.audioVideo.stopContentShare()
      try await client.sees("share stopped ok")
    }
  }

  @Test func `a share whose publication is refused leaves the meeting`() async throws {
    try await withScriptedGateway { gateway in
      gateway.video.onPublish = { _ in .failure(Status(.permissionDenied, "You may not.")) }
      let client = ConnectedClient(to: gateway.url)
      let source = ScriptedSource()
      client.audioVideo.startContentShare(source: ContentShareSource(source))
      try await client.sees("share stopped videoServiceFailed")
      try await gateway.stops.wait(for: "the leave") { $0.count == 1 }
      #expect(!client.seen.entries.contains("share started"))
      try await eventually("the source is let go") { source.sinkCount == 0 }
    }
  }

  /// Covers rule 44 of the conformance list for `AudioVideoFacade`.
  @Test func `a share restarts with its tile id after a lost connection`() async throws {
    try await withScriptedGateway { gateway in
      gateway.onStart = { request, count in
        .opened(count, resuming: !request.sessionID.isEmpty)
      }
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      client.audioVideo.startContentShare(source: ContentShareSource(ScriptedSource()))
      try await client.sees("share started")
      gateway.relay.set(.cut)
      // The attendee's session and the share's session both use the relay, so both lose their
      // connections.
      try await client.hears("dropped")
      gateway.relay.set(.open)
      try await client.sees("share started", times: 2)
      let start = try #require(gateway.starts.entries.last { $0.attendeeID == "ada#content" })
      let declared = try #require(start.video?.published.first)
      #expect((declared.kind, declared.tileID) == (.content, 9))
      client.audioVideo.stop()
      try await client.hears("stopped ok")
      client.audioVideo.stopContentShare()
      try await client.sees("share stopped ok")
    }
  }
}
