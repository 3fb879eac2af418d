import ClientTestSupport
import Dispatch
import MeetingModel
import TestSupport
import Testing
import Trials
import ZeroMQ

@testable import CarillonClientCore

/// Tests of `reconnectTimeoutMs` over real sockets.
///
/// An attempt to connect may take 6 s, and the first connection 15 s. If a session ends earlier,
/// the cause is therefore the timeout. An alarm on the sessions' thread shows whether the end is
/// early enough. On a busy machine, the sessions and the alarm are equally late.
@Suite(.timeLimit(.minutes(5))) struct ReconnectTimeoutTests {
  /// Adds `alarm` to the client's journal after a delay and after the session's earlier callbacks.
  private func alarm(after delay: Duration, to client: ConnectedClient) async throws {
    let thread = try ClientRuntime.current().thread
    await withTaskExecutorPreference(thread) {
      _ = thread.schedule(after: delay) {
        DispatchQueue.main.async { client.heard.append("alarm") }
      }
    }
  }

  /// Waits for the end of a session, and expects the end before the alarm.
  private func isGivenUp(_ client: ConnectedClient) async throws {
    let end = "stopped audioServiceUnavailable"
    let heard = try await client.heard.wait(for: "the end", within: .seconds(50)) {
      $0.contains(end)
    }
    #expect(!heard.prefix { $0 != end }.contains("alarm"))
  }

  @Test func `a session ends at its timeout while an attempt to connect hangs`() async throws {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      try client.audioVideo.start(
        audioVideoConfiguration: AudioVideoConfiguration(reconnectTimeoutMs: 1000))
      try await client.hears("started false")
      gateway.relay.set(.cut)
      try await client.hears("dropped")
      try await alarm(after: .seconds(5), to: client)
      try await isGivenUp(client)
    }
  }

  @Test func `a client retries only after the delay that an overloaded gateway requests`()
    async throws
  {
    try await withScriptedGateway { gateway in
      gateway.refusesStart = { _, count in
        count > 0
          ? nil
          : Status(
            .unavailable, "Too many join at once.", reason: .overloaded,
            retryAfter: .milliseconds(700))
      }
      let client = ConnectedClient(to: gateway.url)
      let began = ContinuousClock.now
      try client.audioVideo.start()
      try await client.hears("started false")
      // The client's own first pause is at most 50 ms, so the server requested the longer pause.
      #expect(ContinuousClock.now - began >= .milliseconds(700))
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }

  @Test func `a session continues if the connection returns in time`() async throws {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      try client.audioVideo.start(
        audioVideoConfiguration: AudioVideoConfiguration(reconnectTimeoutMs: 30_000))
      try await client.hears("started false")
      gateway.relay.set(.cut)
      try await client.hears("dropped")
      gateway.relay.set(.open)
      try await client.hears("started true")
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }

  @Test func `a first connection attempt without any server ends at its timeout`() async throws {
    let client = ConnectedClient(to: "ipc:///nowhere/gateway")
    try client.audioVideo.start(
      audioVideoConfiguration: AudioVideoConfiguration(reconnectTimeoutMs: 1000))
    try await alarm(after: .seconds(12), to: client)
    try await isGivenUp(client)
    #expect(!client.heard.entries.contains("started false"))
  }

  @Test func `a session ends and informs the gateway if its media connection stays lost`()
    async throws
  {
    try await withScriptedGateway { gateway in
      let media = NotedMedia()
      let client = ConnectedClient(to: gateway.url, media: media)
      try client.audioVideo.start(
        audioVideoConfiguration: AudioVideoConfiguration(reconnectTimeoutMs: 1000))
      try await client.hears("started false")
      media.delegate?.mediaConnectionDidChange(isLost: true)
      try await client.hears("dropped")
      try await client.hears("stopped audioServiceUnavailable")
      try await gateway.stops.wait(for: "the leave") { $0.count == 1 }
      client.audioVideo.stop()
      try await client.join(again: 2)
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }
}

/// Tests of the time at which a session ends after `reconnectTimeoutMs`. These tests measure time,
/// so no other test may run at the same time.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ReconnectClockTests {
  /// Waits for the end of a session, and expects the end at most half a second before or after the
  /// timeout.
  private func isGivenUp(_ client: ConnectedClient, after ms: Int) async throws {
    let began = ContinuousClock.now
    try await client.hears("stopped audioServiceUnavailable")
    let late = ContinuousClock.now - began - .milliseconds(ms)
    print("reconnectTimeoutMs \(ms): ended \(late) from it")
    #expect(abs(late / .milliseconds(1)) <= 500)
  }

  @Test func `a session without any server ends within half a second of its timeout`() async throws
  {
    let client = ConnectedClient(to: "ipc:///nowhere/gateway")
    try client.audioVideo.start(
      audioVideoConfiguration: AudioVideoConfiguration(reconnectTimeoutMs: 2000))
    try await isGivenUp(client, after: 2000)
  }

  @Test(arguments: [1000, 4000, 9000])
  func `a session ends at most half a second before or after its timeout`(ms: Int) async throws {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      try client.audioVideo.start(
        audioVideoConfiguration: AudioVideoConfiguration(reconnectTimeoutMs: ms))
      try await client.hears("started false")
      gateway.relay.set(.cut)
      try await client.hears("dropped")
      try await isGivenUp(client, after: ms)
    }
  }
}
