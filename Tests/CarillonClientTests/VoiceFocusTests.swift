import ClientTestSupport
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import CarillonClientCore

/// Tests of noise suppression through `AudioVideoFacade`: the states of noise suppression, and the
/// requests to the gateway.
@Suite(.timeLimit(.minutes(5))) struct VoiceFocusTests {
  // MARK: By state

  @Test func `voice focus can be switched only during a session and is off otherwise`()
    async throws
  {
    let fixture = SessionFixture()
    let audioVideo = fixture.audioVideo
    #expect(!audioVideo.realtimeSetVoiceFocusEnabled(enabled: true))
    #expect(!audioVideo.realtimeIsVoiceFocusEnabled())
    try await fixture.connect()
    #expect(!audioVideo.realtimeIsVoiceFocusEnabled())
    #expect(audioVideo.realtimeSetVoiceFocusEnabled(enabled: true))
    #expect(audioVideo.realtimeIsVoiceFocusEnabled())
    #expect(audioVideo.realtimeSetVoiceFocusEnabled(enabled: false))
    #expect(!audioVideo.realtimeIsVoiceFocusEnabled())
    #expect(audioVideo.realtimeSetVoiceFocusEnabled(enabled: true))
    audioVideo.stop()
    #expect(!audioVideo.realtimeSetVoiceFocusEnabled(enabled: true))
    #expect(!audioVideo.realtimeIsVoiceFocusEnabled())
    #expect(
      fixture.history.filter { $0.hasPrefix("voiceFocus") } == [
        "voiceFocusEnableFailed", "voiceFocusEnabled", "voiceFocusDisabled", "voiceFocusEnabled",
        "voiceFocusEnableFailed",
      ])
  }

  @Test func `voice focus cannot be switched after the server has ended the session`() async throws
  {
    let fixture = SessionFixture()
    try await fixture.connect()
    #expect(fixture.audioVideo.realtimeSetVoiceFocusEnabled(enabled: true))
    try fixture.delegate.connectionDidChange(.serverHungUp, status: .audioServerHungup)
    #expect(!fixture.audioVideo.realtimeIsVoiceFocusEnabled())
    #expect(!fixture.audioVideo.realtimeSetVoiceFocusEnabled(enabled: false))
  }

  @Test(arguments: [VoiceFocusError.notInitialized, .audioClientNotStarted])
  func `a link that cannot switch voice focus reports the reason`(error: VoiceFocusError)
    async throws
  {
    let reporter = EventAnalyticsTests.Reporter()
    let fixture = SessionFixture(reporter: reporter)
    try await fixture.connect()
    fixture.connection.refuse(voiceFocus: error)
    #expect(!fixture.audioVideo.realtimeSetVoiceFocusEnabled(enabled: false))
    #expect(
      reporter.attribute(.voiceFocusError, of: .voiceFocusDisableFailed) as? VoiceFocusError
        == error)
  }

  // MARK: Over real sockets

  private func join(
    media: (any MediaEngine)? = NotedMedia(),
    _ body:
      @escaping @Sendable (any AudioVideoFacade, ConnectedClient, ScriptedGateway)
      async throws -> Void
  ) async throws {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url, media: media)
      try await client.join()
      try await body(client.audioVideo, client, gateway)
      let count = client.heard.entries.count { $0 == "stopped ok" }
      client.audioVideo.stop()
      try await client.hears("stopped ok", times: count + 1)
    }
  }

  @Test func `the gateway receives each change of voice focus once`() async throws {
    try await join { audioVideo, _, gateway in
      #expect(audioVideo.realtimeSetVoiceFocusEnabled(enabled: true))
      try await gateway.voiceFocus.wait(for: "the wish") { $0 == [true] }
      #expect(audioVideo.realtimeSetVoiceFocusEnabled(enabled: true))
      #expect(audioVideo.realtimeSetVoiceFocusEnabled(enabled: false))
      try await gateway.voiceFocus.wait(for: "the wish") { $0 == [true, false] }
      #expect(gateway.starts.entries.map(\.isVoiceFocusEnabled) == [false])
    }
  }

  @Test func `voice focus survives a lost connection without a new request`() async throws {
    try await join { audioVideo, client, gateway in
      #expect(audioVideo.realtimeSetVoiceFocusEnabled(enabled: true))
      try await gateway.voiceFocus.wait(for: "the wish") { $0 == [true] }
      gateway.relay.set(.cut)
      try await client.hears("dropped")
      #expect(audioVideo.realtimeIsVoiceFocusEnabled())
      gateway.relay.set(.open)
      try await client.hears("started true")
      #expect(gateway.starts.entries.map(\.isVoiceFocusEnabled) == [false, true])
      #expect(audioVideo.realtimeSetVoiceFocusEnabled(enabled: false))
      try await gateway.voiceFocus.wait(for: "the next wish") { $0.last == false }
      #expect(gateway.voiceFocus.entries == [true, false])
    }
  }

  @Test func `a change of voice focus while the connection is lost is sent after the reconnect`()
    async throws
  {
    try await join { audioVideo, client, gateway in
      gateway.relay.set(.cut)
      try await client.hears("dropped")
      #expect(audioVideo.realtimeSetVoiceFocusEnabled(enabled: true))
      gateway.relay.set(.open)
      try await client.hears("started true")
      guard gateway.starts.entries.last?.isVoiceFocusEnabled != true else {
        return #expect(gateway.voiceFocus.entries == [])
      }
      // The client sent the first Start before the user's change, so it sends the change
      // separately.
      try await gateway.voiceFocus.wait(for: "the wish") { $0 == [true] }
    }
  }

  @Test func `a refused request for voice focus is repeated when media admits the client`()
    async throws
  {
    try await join { audioVideo, _, gateway in
      gateway.refusesVoiceFocus = { _, count in
        count == 0 ? Status(.failedPrecondition, "Media has not admitted the session.") : nil
      }
      #expect(audioVideo.realtimeSetVoiceFocusEnabled(enabled: true))
      try await gateway.voiceFocus.wait(for: "the wish") { $0 == [true] }
      gateway.say(
        .mediaMoved(
          V1.MediaMoved(
            endpoint: "ipc:///run/media", ticket: [UInt8](repeating: 5, count: 16),
            format: V1.MediaFormat(audioSendSSRC: 11, audioReceiveSSRC: 12), term: 3)))
      try await gateway.voiceFocus.wait(for: "the wish again") { $0 == [true, true] }
      #expect(audioVideo.realtimeIsVoiceFocusEnabled())
    }
  }

  @Test func `a new start begins without voice focus`() async throws {
    try await join { audioVideo, client, gateway in
      #expect(audioVideo.realtimeSetVoiceFocusEnabled(enabled: true))
      audioVideo.stop()
      try await client.hears("stopped ok")
      try audioVideo.start()
      try await client.hears("started false", times: 2)
      #expect(!audioVideo.realtimeIsVoiceFocusEnabled())
      #expect(gateway.starts.entries.last?.isVoiceFocusEnabled == false)
    }
  }

  @Test func `a session without media cannot switch voice focus on`() async throws {
    try await join(media: nil) { audioVideo, _, _ in
      #expect(!audioVideo.realtimeSetVoiceFocusEnabled(enabled: true))
      #expect(!audioVideo.realtimeIsVoiceFocusEnabled())
    }
  }
}
