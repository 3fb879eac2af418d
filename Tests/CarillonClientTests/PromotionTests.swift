import Testing

@testable import CarillonClientCore

/// Tests of promotion through `AudioVideoFacade`, on a mock connection.
struct PromotionTests {
  private let eve = MeetingSessionCredentials(
    attendeeId: "eve", externalUserId: "Eve", joinToken: "eve's secret")

  private var promoted: PrimaryMeetingAttendee {
    PrimaryMeetingAttendee(meetingId: "primary", credentials: eve)
  }

  private func promote(_ fixture: SessionFixture) {
    fixture.audioVideo.promoteToPrimaryMeeting(credentials: eve, observer: fixture.recorder)
  }

  /// Returns a session that was promoted as eve.
  private func promotedSession() async throws -> SessionFixture {
    let fixture = SessionFixture()
    fixture.audioVideo.addContentShareObserver(observer: fixture.recorder)
    try await fixture.connect()
    promote(fixture)
    try fixture.delegate.promotionWasAnswered(1, .success(promoted))
    _ = await fixture.recorder.lines()
    fixture.recorder.forget()
    return fixture
  }

  /// Covers rule 47 of the conformance list for `AudioVideoFacade`.
  @Test func `a session that has not started or has stopped is not promoted`() async throws {
    let fixture = SessionFixture()
    promote(fixture)
    #expect(await fixture.recorder.lines() == ["promoted audioServiceUnavailable"])
    try await fixture.connect()
    fixture.audioVideo.stop()
    _ = await fixture.recorder.lines()
    fixture.recorder.forget()
    promote(fixture)
    fixture.audioVideo.demoteFromPrimaryMeeting()
    #expect(await fixture.recorder.lines() == ["promoted audioServiceUnavailable"])
    #expect(fixture.connection.promotions.isEmpty)
  }

  /// Covers rule 47 of the conformance list for `AudioVideoFacade`.
  @Test func `a session that the server has ended is not promoted`() async throws {
    let fixture = SessionFixture()
    try await fixture.connect()
    try fixture.delegate.connectionDidChange(.serverHungUp, status: .audioServerHungup)
    _ = await fixture.recorder.lines()
    fixture.recorder.forget()
    promote(fixture)
    #expect(await fixture.recorder.lines() == ["promoted audioServiceUnavailable"])
    #expect(fixture.connection.promotions.isEmpty)
  }

  /// Covers rule 47 of the conformance list for `AudioVideoFacade`.
  @Test(arguments: [
    MeetingSessionStatusCode.audioAuthenticationRejected, .audioCallAtCapacity,
    .audioServiceUnavailable, .audioInternalServerError,
  ])
  func `a refused promotion is reported once and causes no demotion`(
    code: MeetingSessionStatusCode
  ) async throws {
    let fixture = SessionFixture()
    try await fixture.connect()
    fixture.recorder.forget()
    promote(fixture)
    try fixture.delegate.promotionWasAnswered(1, .failure(PromotionRefusal(code)))
    try fixture.delegate.promotionWasAnswered(1, .success(promoted))
    fixture.audioVideo.demoteFromPrimaryMeeting()
    #expect(await fixture.recorder.lines() == ["promoted \(code)"])
    #expect(fixture.connection.demotionCount == 0)
  }

  /// Covers rule 48 of the conformance list for `AudioVideoFacade`.
  @Test func `a demotion on request is reported once and on the main thread`() async throws {
    let fixture = try await promotedSession()
    await Task.detached { fixture.audioVideo.demoteFromPrimaryMeeting() }.value
    fixture.audioVideo.demoteFromPrimaryMeeting()
    #expect(await fixture.recorder.lines() == ["demoted ok"])
    #expect(fixture.connection.demotionCount == 1)
    #expect(fixture.recorder.linesOffMain.isEmpty)
  }

  /// Covers rule 48 of the conformance list for `AudioVideoFacade`.
  @Test(arguments: [
    MeetingSessionStatusCode.audioAuthenticationRejected, .audioInternalServerError,
  ])
  func `a demotion by the server is reported once`(code: MeetingSessionStatusCode) async throws {
    let fixture = try await promotedSession()
    try fixture.delegate.promotionDidEnd(as: "somebody else", status: code)
    try fixture.delegate.promotionDidEnd(as: "eve", status: code)
    try fixture.delegate.promotionDidEnd(as: "eve", status: code)
    fixture.audioVideo.demoteFromPrimaryMeeting()
    #expect(await fixture.recorder.lines() == ["demoted \(code)"])
  }

  /// Covers rule 48 of the conformance list for `AudioVideoFacade`.
  @Test func `after a lost connection, the attendee is demoted when the session has restarted`()
    async throws
  {
    let fixture = try await promotedSession()
    try fixture.delegate.connectionDidChange(.reconnecting, status: .ok)
    #expect(await fixture.recorder.lines() == ["dropped", "connecting true"])
    try fixture.delegate.connectionDidChange(.connected, status: .ok)
    #expect(
      await fixture.recorder.lines() == [
        "dropped", "connecting true", "started true", "demoted audioInternalServerError",
      ])
    #expect(fixture.connection.demotionCount == 1)
  }

  @Test func `a pending promotion fails when the connection is lost`() async throws {
    let fixture = SessionFixture()
    try await fixture.connect()
    fixture.recorder.forget()
    promote(fixture)
    try fixture.delegate.connectionDidChange(.reconnecting, status: .ok)
    try fixture.delegate.promotionWasAnswered(1, .success(promoted))
    try fixture.delegate.connectionDidChange(.connected, status: .ok)
    #expect(
      await fixture.recorder.lines() == [
        "dropped", "connecting true", "promoted audioInternalServerError", "started true",
      ])
  }

  /// Covers rule 48 of the conformance list for `AudioVideoFacade`.
  @Test func `a stop is reported before the demotion, and both are reported once`() async throws {
    let fixture = try await promotedSession()
    fixture.audioVideo.stop()
    fixture.audioVideo.demoteFromPrimaryMeeting()
    #expect(
      await fixture.recorder.lines() == [
        "video stopped ok", "stopped ok", "demoted audioInternalServerError",
      ])
    try await fixture.connect()
    #expect(await fixture.recorder.lines().count { $0.hasPrefix("demoted") } == 1)
  }

  /// Covers rule 48 of the conformance list for `AudioVideoFacade`.
  @Test func `when the server ends a session, the end is reported before the demotion`()
    async throws
  {
    let fixture = try await promotedSession()
    try fixture.delegate.connectionDidChange(.serverHungUp, status: .audioServerHungup)
    fixture.audioVideo.stop()
    #expect(
      await fixture.recorder.lines() == [
        "stopped audioServerHungup", "demoted audioInternalServerError", "video stopped ok",
      ])
  }

  @Test func `the observer of a successful promotion replaces the earlier observer`()
    async throws
  {
    let fixture = try await promotedSession()
    let second = Recorder()
    fixture.audioVideo.promoteToPrimaryMeeting(credentials: eve, observer: second)
    try fixture.delegate.promotionWasAnswered(2, .success(promoted))
    fixture.audioVideo.demoteFromPrimaryMeeting()
    #expect(await second.lines() == ["promoted ok", "demoted ok"])
    #expect(await fixture.recorder.lines() == [])
  }

  // MARK: Identity

  @Test
  func `during a promotion, the client owns two ids and uses the credentials of the promotion`() {
    let identity = LocalAttendeeIdentity(
      MeetingSessionCredentials(attendeeId: "ada", externalUserId: "Ada L.", joinToken: ""))
    #expect(identity.isOwn("ada") && !identity.isOwn("eve"))
    identity.act(as: promoted)
    #expect(identity.isOwn("ada") && identity.isOwn("eve") && !identity.isOwn("mia"))
    #expect(identity.credentials === eve)
    identity.act(as: nil)
    #expect(identity.credentials.attendeeId == "ada" && !identity.isOwn("eve"))
  }

  @Test func `a promoted attendee shares content in the primary meeting until the demotion`()
    async throws
  {
    let fixture = try await promotedSession()
    let source = ScriptedSource()
    fixture.audioVideo.startContentShare(source: ContentShareSource(source))
    let start = try #require(fixture.contentConnection.starts.first)
    #expect((start.meetingId, start.attendeeId) == ("primary", "eve#content"))
    #expect((start.joinToken, start.externalUserId) == ("eve's secret#content", "Eve"))
    fixture.contentConnection.delegate?.videoDidTell(.published(number: 1, tileId: 4))
    _ = await fixture.recorder.lines()
    fixture.recorder.forget()
    fixture.audioVideo.demoteFromPrimaryMeeting()
    _ = await fixture.recorder.lines()
    fixture.contentConnection.delegate?.videoDidTell(.unpublished(number: 1))
    #expect(await fixture.recorder.lines() == ["demoted ok", "share stopped ok"])
    #expect(source.sinkCount == 0)
    fixture.audioVideo.startContentShare(source: ContentShareSource(source))
    #expect(fixture.contentConnection.starts.last?.attendeeId == "ada#content")
    #expect(fixture.contentConnection.starts.last?.meetingId == "m")
  }

  @Test func `a share survives a repeated promotion and ends when another attendee is promoted`()
    async throws
  {
    let fixture = try await promotedSession()
    let source = ScriptedSource()
    fixture.audioVideo.startContentShare(source: ContentShareSource(source))
    promote(fixture)
    try fixture.delegate.promotionWasAnswered(2, .success(promoted))
    await drainMain()
    #expect(source.sinkCount == 1)
    let mia = MeetingSessionCredentials(
      attendeeId: "mia", externalUserId: "Mia", joinToken: "mia's secret")
    fixture.audioVideo.promoteToPrimaryMeeting(credentials: mia, observer: fixture.recorder)
    try fixture.delegate.promotionWasAnswered(
      3, .success(PrimaryMeetingAttendee(meetingId: "primary", credentials: mia)))
    await drainMain()
    #expect(source.sinkCount == 0)
    #expect(fixture.contentConnection.stopCount == 1)
  }

  @Test func `a demotion without a promotion leaves the content share unchanged`() async throws {
    let fixture = SessionFixture()
    try await fixture.connect()
    let source = ScriptedSource()
    fixture.audioVideo.startContentShare(source: ContentShareSource(source))
    promote(fixture)
    try fixture.delegate.promotionWasAnswered(1, .failure(PromotionRefusal(.unknown)))
    fixture.audioVideo.demoteFromPrimaryMeeting()
    await drainMain()
    #expect(source.sinkCount == 1)
    #expect(fixture.contentConnection.stopCount == 0)
  }

  @Test func `a promoted attendee is treated as the local attendee until the demotion`()
    async throws
  {
    let fixture = try await promotedSession()
    let roster = JoinedNames()
    fixture.audioVideo.addRealtimeObserver(observer: roster)
    try fixture.delegate.presenceDidChange([
      AttendeePresenceReport(attendeeId: "eve", externalUserId: "", status: .joined)
    ])
    await drainMain()
    #expect(roster.names == ["Eve"])
    let tracks = fixture.session.mediaTracks
    fixture.audioVideo.addVideoTileObserver(observer: fixture.recorder)
    fixture.audioVideo.startLocalVideo(source: ScriptedSource())
    try fixture.delegate.videoDidTell(.published(number: 1, tileId: 7))
    await MainActor.run { tracks.receiveLocal(.blank()) }
    #expect(await fixture.recorder.lines().last == "add 7 eve unpaused 640x360")
  }

  /// Records the external user ids of attendees who joined.
  private final class JoinedNames: RealtimeObserver, @unchecked Sendable {
    private(set) var names: [String] = []  // Only the main thread uses it.

    func attendeesDidJoin(attendeeInfo: [AttendeeInfo]) {
      names += attendeeInfo.map(\.externalUserId)
    }
    func attendeesDidLeave(attendeeInfo: [AttendeeInfo]) {}
    func attendeesDidDrop(attendeeInfo: [AttendeeInfo]) {}
    func attendeesDidMute(attendeeInfo: [AttendeeInfo]) {}
    func attendeesDidUnmute(attendeeInfo: [AttendeeInfo]) {}
    func volumeDidChange(volumeUpdates: [VolumeUpdate]) {}
    func signalStrengthDidChange(signalUpdates: [SignalUpdate]) {}
  }
}
