import Testing

@testable import CarillonClientCore

struct SessionStartParametersTests {
  @Test(arguments: ["", "  ", "\n\t"])
  func `a blank audio URL makes the start fail without a callback to observers`(blank: String) async
  {
    for fixture in [
      SessionFixture(audioHostUrl: blank), SessionFixture(audioFallbackUrl: blank),
    ] {
      #expect(throws: MediaError.audioFailedToStart) { try fixture.audioVideo.start() }
      #expect(await fixture.recorder.lines().isEmpty)
      #expect(fixture.connection.starts.isEmpty)
      #expect(!fixture.history.contains("meetingStartRequested"))
    }
  }

  @Test(arguments: [PermissionStatus.denied, .undetermined])
  func `recording needs permission, but listening does not`(status: PermissionStatus) async throws {
    let fixture = SessionFixture(
      permissions: FixedPermissionProvider(recordPermission: status), observesEvents: true)
    #expect(throws: PermissionError.audioPermissionError) { try fixture.audioVideo.start() }
    #expect(await fixture.recorder.lines() == ["event audioInputFailed"])
    for capabilities in [AudioDeviceCapabilities.none, .outputOnly] {
      try fixture.audioVideo.start(
        audioVideoConfiguration: AudioVideoConfiguration(audioDeviceCapabilities: capabilities))
      fixture.audioVideo.stop()
    }
  }

  @Test func `a start checks the permission, then the state, then the URLs`() throws {
    let refused = SessionFixture(permissions: FixedPermissionProvider(recordPermission: .denied))
    let listening = AudioVideoConfiguration(audioDeviceCapabilities: .outputOnly)
    try refused.audioVideo.start(audioVideoConfiguration: listening)
    #expect(throws: PermissionError.audioPermissionError) { try refused.audioVideo.start() }
    #expect(throws: MediaError.illegalState) {
      try refused.audioVideo.start(audioVideoConfiguration: listening)
    }
    let blank = SessionFixture(
      permissions: FixedPermissionProvider(recordPermission: .denied), audioHostUrl: "")
    #expect(throws: PermissionError.audioPermissionError) { try blank.audioVideo.start() }
  }

  @Test func `a start passes all values to the link`() throws {
    let fixture = SessionFixture()
    try fixture.audioVideo.start(
      audioVideoConfiguration: AudioVideoConfiguration(reconnectTimeoutMs: 7000))
    #expect(
      fixture.connection.starts == [
        SessionStartParameters(
          meetingId: "m", attendeeId: "ada", externalUserId: "Ada L.", joinToken: "secret",
          signalingUrl: "wss://signal.example/control/m", audioHostUrl: "media.example:2020",
          gatewayUrl: "tcp://gateway.example:7400", reconnectTimeoutMs: 7000)
      ])
  }

  @Test func `a start reports connecting before started, and a second start is refused`()
    async throws
  {
    let fixture = SessionFixture(observesEvents: true)
    try await fixture.connect()
    #expect(throws: MediaError.illegalState) { try fixture.audioVideo.start() }
    #expect(
      await fixture.recorder.lines() == [
        "connecting false", "event meetingStartRequested", "event meetingStartSucceeded",
        "started false",
      ])
  }

  @Test func `a failure to connect is reported even if the link never reported connecting`()
    async throws
  {
    let fixture = SessionFixture()
    try fixture.audioVideo.start()
    try fixture.delegate.connectionDidChange(.failedToConnect, status: .audioAuthenticationRejected)
    #expect(
      await fixture.recorder.lines() == [
        "connecting false", "stopped audioAuthenticationRejected",
      ])
  }

  @Test func `muting works only after a start, and each session starts unmuted`() async throws {
    let fixture = SessionFixture()
    #expect(!fixture.audioVideo.realtimeLocalMute())
    #expect(!fixture.audioVideo.realtimeLocalUnmute())
    try fixture.audioVideo.start()
    #expect(fixture.audioVideo.realtimeLocalMute())
    fixture.audioVideo.stop()
    #expect(!fixture.audioVideo.realtimeLocalMute())
    try fixture.audioVideo.start()
    #expect(fixture.audioVideo.realtimeLocalUnmute())
    fixture.connection.accept(mute: false)
    #expect(!fixture.audioVideo.realtimeLocalUnmute())
    try fixture.delegate.connectionDidChange(.serverHungUp, status: .audioServerHungup)
    #expect(!fixture.audioVideo.realtimeLocalMute())
    #expect(fixture.connection.mutes == [true, false, false])
  }

  @Test func `sessions of one process do not affect each other`() async throws {
    let first = SessionFixture()
    let second = SessionFixture()
    try await first.connect()
    try await second.connect()
    first.audioVideo.stop()
    #expect(await first.recorder.lines().last == "stopped ok")
    #expect(await second.recorder.lines() == ["connecting false", "started false"])
    #expect(second.audioVideo.realtimeLocalMute())
  }
}
