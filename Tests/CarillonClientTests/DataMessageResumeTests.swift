import ClientTestSupport
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import CarillonClientCore

/// Tests of the data messages that a client receives after reconnecting.
@Suite(.timeLimit(.minutes(5))) struct DataMessageResumeTests {
  /// Joins, receives messages, loses the connection, and receives messages again.
  ///
  /// - Parameter second: Returns the answer to the second Start, and the events after this answer.
  private func resume(
    _ second: @escaping @Sendable (V1.StartRequest) -> (V1.SessionStarted, V1.SessionEvents),
    then check: @escaping @Sendable (ConnectedClient, ScriptedGateway) async throws -> Void
  ) async throws {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      gateway.say(.messages(1...3))
      _ = try await client.texts(3)
      gateway.onStart = { request, _ in second(request).0 }
      gateway.relay.set(.cut)
      try await client.hears("dropped")
      gateway.relay.set(.open)
      let request = try await gateway.starts.wait(for: "the return") { $0.count == 2 }[1]
      gateway.say(second(request).1)
      try await check(client, gateway)
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }

  @Test func `a resuming client reports its position and receives no message twice`()
    async throws
  {
    try await resume({ _ in (.opened(0, resuming: true), .messages(2...5)) }) { client, gateway in
      let heard5 = try await client.texts(5)
      #expect(heard5 == ["1/1", "1/2", "1/3", "1/4", "1/5"])
      let position = gateway.starts.entries[1].positions.first { $0.stream == "messages" }
      #expect(position == V1.StreamPosition(stream: "messages", epoch: 1, sequence: 3))
      #expect(gateway.starts.entries[1].sessionID == V1.SessionStarted.opened(0).sessionID)
      gateway.say(.messages(5...6))
      let heard6 = try await client.texts(6)
      #expect(heard6.last == "1/6")
      #expect(
        client.heard.entries.filter { $0.hasPrefix("resumed") } == ["resumed true"])
      let lines = client.heard.entries
      let order = lines.filter { ["chat 1/3", "resumed true", "chat 1/4"].contains($0) }
      #expect(order == ["chat 1/3", "resumed true", "chat 1/4"])
    }
  }

  @Test func `a resumption with lost messages is reported as incomplete`() async throws {
    try await resume({ _ in
      (.opened(0, resuming: true, lost: ["roster", "messages"]), .messages(9...9))
    }) { client, _ in
      let heard4 = try await client.texts(4)
      #expect(heard4.last == "1/9")
      #expect(client.heard.entries.filter { $0.hasPrefix("resumed") } == ["resumed false"])
    }
  }

  @Test func `a resumption that lost only transcripts is reported as complete for messages`()
    async throws
  {
    try await resume({ _ in
      (.opened(0, resuming: true, lost: ["transcripts"]), .messages(4...4))
    }) { client, _ in
      _ = try await client.texts(4)
      #expect(client.heard.entries.filter { $0.hasPrefix("resumed") } == ["resumed true"])
    }
  }

  @Test func `a loss that is detected late is reported at its place in the order of messages`()
    async throws
  {
    try await resume({ _ in (.opened(0, resuming: true), .messages(4...4)) }) { client, gateway in
      gateway.say(.init(events: [.init(event: .eventsLost(.init(stream: "roster")))]))
      gateway.say(.init(events: [.init(event: .eventsLost(.init(stream: "messages")))]))
      gateway.say(.messages(9...9))
      try await client.hears("chat 1/9")
      let lines = client.heard.entries.suffix(4)
      #expect(Array(lines) == ["resumed true", "chat 1/4", "lost", "chat 1/9"])
    }
  }

  @Test
  func `a client that joins again gets the kept messages once, and a report of a possible loss`()
    async throws
  {
    try await resume({ _ in (.opened(9), .messages(2...5)) }) { client, _ in
      let heard5 = try await client.texts(5)
      #expect(heard5 == ["1/1", "1/2", "1/3", "1/4", "1/5"])
      #expect(client.heard.entries.filter { $0.hasPrefix("resumed") } == ["resumed false"])
    }
  }

  @Test
  func `after the log was replaced, a resuming client receives all messages of the new log`()
    async throws
  {
    try await resume({ _ in
      (.opened(0, resuming: true, lost: ["messages"]), .messages(1...2, epoch: 2))
    }) { client, _ in
      let heard5 = try await client.texts(5)
      #expect(heard5 == ["1/1", "1/2", "1/3", "2/1", "2/2"])
    }
  }

  @Test func `neither a first start nor a start after a stop counts as a resumption`() async throws
  {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      gateway.say(.messages(1...2))
      _ = try await client.texts(2)
      client.audioVideo.stop()
      try await client.hears("stopped ok")
      try client.audioVideo.start()
      try await client.hears("started false", times: 2)
      #expect(gateway.starts.entries[1].positions.isEmpty)
      gateway.say(.messages(1...2))
      let heard4 = try await client.texts(4)
      #expect(heard4 == ["1/1", "1/2", "1/1", "1/2"])
      #expect(!client.heard.entries.contains { $0.hasPrefix("resumed") })
      client.audioVideo.stop()
      try await client.hears("stopped ok", times: 2)
    }
  }
}
