import ClientTestSupport
import TestSupport
import Testing
import Trials
import Wire

@testable import CarillonClientCore

/// Tests of hosts' mutes: the `LocalMuteState` alone, and the client over real sockets.
@Suite(.timeLimit(.minutes(5))) struct HostMuteTests {
  // MARK: The gate

  @Test func `a host's mute acts like the application's own mute until the application unmutes`() {
    let gate = openGate()
    #expect(gate.learn(true))
    #expect(gate.isMuted)
    #expect(gate.isSilenced)
    #expect(!gate.learn(true))
    #expect(gate.set(false))
    #expect(!gate.learn(false))
    #expect(!gate.isMuted)
  }

  @Test func `a late event about the client's own earlier mute does not mute the client`() {
    let gate = openGate()
    for isMuted in [true, false] {
      #expect(gate.set(isMuted))
      gate.willReport(isMuted)
    }
    #expect(!gate.learn(true))
    #expect(!gate.learn(false))
    #expect(!gate.isMuted)
  }

  @Test func `after a failed mute request, the next mute event is treated as a host's mute`() {
    let gate = openGate()
    #expect(gate.set(true))
    gate.willReport(true)
    gate.reportFailed()
    #expect(gate.set(false))
    #expect(gate.learn(true))
  }

  private func openGate() -> LocalMuteState {
    let gate = LocalMuteState()
    gate.open()
    _ = gate.learn(false)
    return gate
  }

  // MARK: Over real sockets

  @Test func `a client that a host muted is still muted after a reconnect and can unmute itself`()
    async throws
  {
    try await join { client, media, gateway in
      gateway.say(mute("ada", true))
      try await media.told.wait(for: "the mute") { $0.last == .mute(true) }
      gateway.relay.set(.cut)
      try await client.hears("dropped")
      gateway.relay.set(.open)
      try await client.hears("started true")
      #expect(gateway.starts.entries.map(\.isMuted) == [false, true])
      #expect(gateway.mutes.entries == [])

      #expect(client.audioVideo.realtimeLocalUnmute())
      try await gateway.mutes.wait(for: "the unmute") { $0 == [false] }
      gateway.say(mute("ada", false))
      try await media.told.wait(for: "the unmute") { $0.last == .mute(false) }
    }
  }

  @Test
  func `neither another attendee's mute nor an operator's mute changes the declared mute state`()
    async throws
  {
    try await join { client, media, gateway in
      gateway.say(mute("bob", true))
      gateway.say(mute("ada", true, isByOperator: true))
      try await media.told.wait(for: "the operator's mute") { $0.last == .mute(true) }
      gateway.relay.set(.cut)
      try await client.hears("dropped")
      gateway.relay.set(.open)
      try await client.hears("started true")
      #expect(gateway.starts.entries.map(\.isMuted) == [false, false])
    }
  }

  @Test func `a roster informs the client of a host's mute whose event the client missed`()
    async throws
  {
    try await join { client, media, gateway in
      let entry = V1.RosterEntry(
        attendee: .init(attendeeID: "ada", externalUserID: "Ada"), isMuted: true)
      gateway.say(
        .rosterSnapshot(.init(meetingID: "m", epoch: 2, sequence: 9, entries: [entry])))
      try await media.told.wait(for: "the mute") { $0.last == .mute(true) }
      #expect(client.audioVideo.realtimeLocalUnmute())
      try await gateway.mutes.wait(for: "the unmute") { $0 == [false] }
    }
  }

  private func join(
    _ body:
      @escaping @Sendable (ConnectedClient, NotedMedia, ScriptedGateway) async throws -> Void
  ) async throws {
    try await withScriptedGateway { gateway in
      let media = NotedMedia()
      let client = ConnectedClient(to: gateway.url, media: media)
      try await client.join()
      try await body(client, media, gateway)
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }

  private func mute(
    _ id: String, _ isMuted: Bool, isByOperator: Bool = false
  ) -> V1.SessionEvent.Event {
    .muteChanged(
      V1.MuteChanged(changes: [
        .init(attendeeID: id, isMuted: isMuted, isMutedByOperator: isByOperator)
      ]))
  }
}
