import Testing

@testable import CarillonClientCore

struct SessionCallbackTests {
  @Test func `a lost and restored connection is reported without new joins`() async throws {
    let fixture = SessionFixture(observesEvents: true)
    try await fixture.connect()
    try fixture.delegate.presenceDidChange([AttendeePresenceReport("bob", .joined)])
    _ = await fixture.recorder.lines()
    fixture.recorder.forget()
    try fixture.delegate.connectionDidChange(.reconnecting, status: .ok)
    try fixture.delegate.connectionDidChange(.connected, status: .ok)
    try fixture.delegate.presenceDidChange([AttendeePresenceReport("bob", .joined)])
    #expect(
      await fixture.recorder.lines() == [
        "dropped", "connecting true", "event meetingReconnected", "started true",
      ])
  }

  @Test func `a connection lost for too long is reported as cancelled, then as stopped`()
    async throws
  {
    let fixture = SessionFixture()
    try await fixture.connect()
    fixture.recorder.forget()
    try fixture.delegate.connectionDidChange(.reconnecting, status: .ok)
    try fixture.delegate.connectionDidChange(
      .disconnectedAbnormally, status: .connectionHealthReconnect)
    #expect(
      await fixture.recorder.lines() == [
        "dropped", "connecting true", "cancelled", "stopped connectionHealthReconnect",
      ])
  }

  @Test func `a poor network and its recovery are reported once each`() async throws {
    let fixture = SessionFixture()
    try await fixture.connect()
    fixture.recorder.forget()
    for status in [MeetingSessionStatusCode.networkBecomePoor, .networkBecomePoor, .ok, .ok] {
      try fixture.delegate.connectionDidChange(.connected, status: status)
    }
    #expect(await fixture.recorder.lines() == ["poor", "recovered"])
  }

  @Test func `a presence report causes separate callbacks for joins, leaves and drops`()
    async throws
  {
    let fixture = SessionFixture()
    try await fixture.connect()
    fixture.recorder.forget()
    try fixture.delegate.presenceDidChange([
      AttendeePresenceReport("dan", .dropped), AttendeePresenceReport("liz", .left),
      AttendeePresenceReport("joe", .joined),
    ])
    #expect(await fixture.recorder.lines() == ["join joe", "leave liz", "drop dan"])
  }

  @Test func `a volume report causes one callback each for mute, unmute and volume`() async throws {
    let fixture = SessionFixture()
    try await fixture.connect()
    let delegate = try fixture.delegate
    delegate.volumesDidChange([VolumeReport("bob", .muted), VolumeReport("cy", .low)])
    _ = await fixture.recorder.lines()
    fixture.recorder.forget()
    let report = [VolumeReport("bob", .high), VolumeReport("cy", .muted)]
    delegate.volumesDidChange(report)
    delegate.volumesDidChange(report)
    delegate.volumesDidChange([])
    #expect(
      await fixture.recorder.lines() == ["mute cy", "unmute bob", "volume bob=high cy=muted"])
  }

  @Test func `a mute is reported again only for an attendee who returns muted`() async throws {
    let fixture = SessionFixture()
    try await fixture.connect()
    let delegate = try fixture.delegate
    delegate.volumesDidChange([VolumeReport("bob", .muted), VolumeReport("cy", .muted)])
    delegate.presenceDidChange([AttendeePresenceReport("bob", .left)])
    _ = await fixture.recorder.lines()
    fixture.recorder.forget()
    delegate.someVolumesDidChange([VolumeReport("bob", .muted)])
    #expect(await fixture.recorder.lines() == ["mute bob", "volume bob=muted"])
  }

  @Test func `each video state is reported with the status of the video`() async throws {
    let fixture = SessionFixture()
    try await fixture.connect()
    fixture.recorder.forget()
    let delegate = try fixture.delegate
    delegate.videoDidChange(.connecting, status: .ok)
    delegate.videoDidChange(.started, status: .networkBecomePoor)
    delegate.videoDidChange(.started, status: .videoAtCapacityViewOnly)
    delegate.videoDidChange(.failed, status: .unknown)
    delegate.videoDidChange(.stopped, status: .ok)
    #expect(
      await fixture.recorder.lines() == [
        "video connecting", "video started ok", "video started videoAtCapacityViewOnly",
        "video stopped videoServiceUnavailable",
      ])
  }

  @Test func `the local attendee's missing external user id is filled in`() async throws {
    final class Roster: RealtimeObserver, @unchecked Sendable {
      var joined: [AttendeeInfo] = []
      func volumeDidChange(volumeUpdates: [VolumeUpdate]) {}
      func signalStrengthDidChange(signalUpdates: [SignalUpdate]) {}
      func attendeesDidJoin(attendeeInfo: [AttendeeInfo]) { joined += attendeeInfo }
      func attendeesDidLeave(attendeeInfo: [AttendeeInfo]) {}
      func attendeesDidDrop(attendeeInfo: [AttendeeInfo]) {}
      func attendeesDidMute(attendeeInfo: [AttendeeInfo]) {}
      func attendeesDidUnmute(attendeeInfo: [AttendeeInfo]) {}
    }
    let fixture = SessionFixture()
    let roster = Roster()
    fixture.audioVideo.addRealtimeObserver(observer: roster)
    try await fixture.connect()
    try fixture.delegate.presenceDidChange([
      AttendeePresenceReport(attendeeId: "ada", externalUserId: "", status: .joined)
    ])
    await drainMain()
    #expect(roster.joined.map(\.externalUserId) == ["Ada L."])
  }

  @Test func `every callback runs on the main thread`() async throws {
    let fixture = SessionFixture(observesEvents: true)
    try await fixture.connect()
    let delegate = try fixture.delegate
    delegate.presenceDidChange([AttendeePresenceReport("bob", .joined)])
    delegate.volumesDidChange([VolumeReport("bob", .muted)])
    delegate.signalsDidChange([SignalReport("bob", .low)])
    delegate.videoDidChange(.started, status: .ok)
    fixture.audioVideo.promoteToPrimaryMeeting(
      credentials: fixture.session.configuration.credentials, observer: fixture.recorder)
    fixture.audioVideo.stop()
    #expect(await fixture.recorder.lines().count == 13)
    #expect(fixture.recorder.linesOffMain.isEmpty)
  }
}
