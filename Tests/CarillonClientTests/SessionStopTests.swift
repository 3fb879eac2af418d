import ClientTestSupport
import TestSupport
import Testing
import Trials

@testable import CarillonClientCore

struct SessionStopTests {
  @Test func `stopping a session that has not started is not reported`() async {
    let fixture = SessionFixture(observesEvents: true)
    fixture.audioVideo.stop()
    #expect(await fixture.recorder.lines().isEmpty)
    #expect(fixture.connection.stopCount == 0)
  }

  @Test func `stopping a session ends video before audio, and a second stop does nothing`()
    async throws
  {
    let fixture = SessionFixture(observesEvents: true)
    try await fixture.connect()
    fixture.recorder.forget()
    fixture.audioVideo.stop()
    fixture.audioVideo.stop()
    #expect(
      await fixture.recorder.lines() == ["video stopped ok", "event meetingEnded", "stopped ok"])
    #expect(fixture.connection.stopCount == 1)
  }

  @Test func `the session's end is reported only after the link has left the meeting`() async throws
  {
    let fixture = SessionFixture()
    try await fixture.connect()
    fixture.connection.holdStop()
    fixture.recorder.forget()
    fixture.audioVideo.stop()
    try fixture.delegate.presenceDidChange([AttendeePresenceReport("bob", .joined)])
    try fixture.delegate.connectionDidChange(.disconnectedAbnormally, status: .unknown)
    #expect(await fixture.recorder.lines().isEmpty)
    try fixture.delegate.connectionDidStop()
    try fixture.delegate.connectionDidStop()
    #expect(await fixture.recorder.lines() == ["video stopped ok", "stopped ok"])
  }

  @Test func `a session that is stopped before the answer to its start still leaves the meeting`()
    async throws
  {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      gateway.onStart = { _, count in
        client.audioVideo.stop()
        return .opened(count)
      }
      try client.audioVideo.start()
      try await client.hears("stopped ok")
      try await gateway.stops.wait(for: "the leave") { $0.count == 1 }
      #expect(!client.heard.entries.contains("started false"))
    }
  }

  @Test func `a start right after a stop takes effect after the earlier session has ended`()
    async throws
  {
    let fixture = SessionFixture()
    try await fixture.connect()
    fixture.connection.holdStop()
    fixture.recorder.forget()
    fixture.audioVideo.stop()
    let last = try fixture.delegate
    try fixture.audioVideo.start()
    last.connectionDidStop()
    #expect(
      await fixture.recorder.lines() == ["video stopped ok", "stopped ok", "connecting false"])
  }

  @Test func `a stop during a reconnect first reports that the reconnect was cancelled`()
    async throws
  {
    let fixture = SessionFixture()
    try await fixture.connect()
    try fixture.delegate.connectionDidChange(.reconnecting, status: .ok)
    _ = await fixture.recorder.lines()
    fixture.recorder.forget()
    fixture.audioVideo.stop()
    #expect(await fixture.recorder.lines() == ["cancelled", "video stopped ok", "stopped ok"])
  }

  @Test(arguments: [
    (ConnectionState.connected, MeetingSessionStatusCode.audioServerHungup),
    (.disconnectedNormally, .audioJoinedFromAnotherDevice),
    (.disconnectedAbnormally, .audioDisconnected),
    (.serverHungUp, .unknown),
  ])
  func `a session that the server ends is reported as ended once, and a later stop ends only video`(
    state: ConnectionState, status: MeetingSessionStatusCode
  ) async throws {
    let fixture = SessionFixture()
    try await fixture.connect()
    try fixture.delegate.videoDidChange(.started, status: .ok)
    _ = await fixture.recorder.lines()
    fixture.recorder.forget()
    try fixture.delegate.connectionDidChange(state, status: status)
    try fixture.delegate.connectionDidChange(.failedToConnect, status: .unknown)
    try fixture.delegate.presenceDidChange([AttendeePresenceReport("bob", .joined)])
    #expect(await fixture.recorder.lines() == ["stopped \(status.description)"])
    fixture.recorder.forget()
    fixture.audioVideo.stop()
    #expect(await fixture.recorder.lines() == ["video stopped ok"])
  }

  @Test func `a session that the server ended may be started again`() async throws {
    let fixture = SessionFixture()
    try await fixture.connect()
    try fixture.delegate.connectionDidChange(.serverHungUp, status: .audioServerHungup)
    fixture.recorder.forget()
    try await fixture.connect()
    #expect(await fixture.recorder.lines().suffix(2) == ["connecting false", "started false"])
  }

  @Test func `a restart causes the same callbacks as a first start`() async throws {
    let fixture = SessionFixture()
    for _ in 1...2 {
      try await fixture.connect()
      try fixture.delegate.presenceDidChange([AttendeePresenceReport("bob", .joined)])
      try fixture.delegate.volumesDidChange([VolumeReport("bob", .low)])
      try fixture.delegate.signalsDidChange([SignalReport("bob", .high)])
      #expect(
        await fixture.recorder.lines() == [
          "connecting false", "started false", "join bob", "volume bob=low", "signal bob=high",
        ])
      fixture.audioVideo.stop()
      _ = await fixture.recorder.lines()
      fixture.recorder.forget()
    }
  }
}
