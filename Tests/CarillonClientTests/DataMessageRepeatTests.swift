import ClientTestSupport
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import CarillonClientCore

/// Tests of messages that the client queues until the client is connected, or repeats after a lost
/// connection. The client sends all messages in order, and a repeated message keeps its key.
@Suite(.timeLimit(.minutes(5))) struct DataMessageRepeatTests {
  private func leave(_ client: ConnectedClient) async throws {
    client.audioVideo.stop()
    try await client.hears("stopped ok")
  }

  @Test func `when a session opens, the messages that were sent before arrive`()
    async throws
  {
    try await withScriptedGateway { gateway in
      gateway.relay.set(.silent)
      let client = ConnectedClient(to: gateway.url)
      try client.audioVideo.start()
      for number in 0..<5 { try client.send("\(number)") }
      gateway.relay.set(.open)
      try await client.hears("started false")
      let sent = try await gateway.sent.wait(for: "all messages") { $0.count >= 5 }
      #expect(sent.map(\.text) == ["0", "1", "2", "3", "4"])
      #expect(sent.allSatisfy { $0.sessionID.first == 0 && $0.sessionID.count == 16 })
      try await leave(client)
      #expect(gateway.sent.entries.count == 5)
    }
  }

  @Test func `the message queue is bounded, and messages over its limit are returned as throttled`()
    async throws
  {
    try await withScriptedGateway { gateway in
      gateway.relay.set(.silent)
      let client = ConnectedClient(to: gateway.url)
      try client.audioVideo.start()
      for number in 0..<1030 { try client.send("\(number)") }
      await #expect(throws: DataMessageFailure.queueFull) {
        try await client.log.realtimeSendDataMessage(
          topic: "chat", data: "one more", lifetimeMs: 0, recipients: [])
      }
      // While the answer to an earlier message is missing, the client returns no message to the
      // program.
      #expect(client.messages.entries.isEmpty)
      gateway.relay.set(.open)
      let sent = try await gateway.sent.wait(for: "all messages") { $0.count >= 1024 }
      #expect(sent.map(\.text) == (0..<1024).map { "\($0)" })
      #expect(try await client.texts(7) == (1024..<1030).map { "\($0)" } + ["one more"])
      #expect(client.messages.entries.allSatisfy { $0.throttled && $0.retryAfterMs > 0 })
      try await leave(client)
      #expect(gateway.sent.entries.count == 1024)
    }
  }

  @Test func `unsent messages are returned to the application when the session ends`() async throws
  {
    try await withScriptedGateway { gateway in
      gateway.onSend = { _, _ in .keepWaiting }
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      for number in 0..<1026 { try client.send("\(number)") }
      let sent = try await gateway.sent.wait(for: "a window of messages") { $0.count >= 48 }
      gateway.end(
        Status(.resourceExhausted, "Too many.", session: .audioServerHungup, reason: .flooding))
      let back = try await client.texts(1026 - sent.count)
      #expect(back == (sent.count..<1026).map { "\($0)" })
      #expect(client.logger.lines.contains { $0.contains("\(sent.count) data messages") })
    }
  }

  @Test func `after a lost connection, unanswered messages are repeated before new messages`()
    async throws
  {
    try await withScriptedGateway { gateway in
      gateway.onSend = { sent, count in count < 3 && sent.text != "a" ? .keepWaiting : .accept }
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      _ = try await client.log.realtimeSendDataMessage(
        topic: "chat", data: "a", lifetimeMs: 0, recipients: [])
      for text in ["b", "c"] { try client.send(text) }
      try await gateway.sent.wait(for: "three messages") { $0.count == 3 }
      gateway.relay.set(.cut)
      try await client.hears("dropped")
      for text in ["d", "e"] { try client.send(text) }
      gateway.relay.set(.open)
      let sent = try await gateway.sent.wait(for: "all messages") { $0.count >= 7 }
      #expect(sent.map(\.text) == ["a", "b", "c", "b", "c", "d", "e"])
      #expect(sent[1].key == sent[3].key)
      #expect(sent[2].key == sent[4].key)
      #expect(Set(sent.map(\.key)).count == 5)
      #expect(sent[6].sessionID.first == 1, "the session that the second Start was told")
      try await leave(client)
      #expect(gateway.sent.entries.count == 7)
    }
  }

  @Test(arguments: [
    Status(.unavailable, "Away."), Status(.deadlineExceeded, "Late."), Status(.aborted, "Again."),
    Status(.resourceExhausted, "Busy.", reason: .overloaded), Status(.cancelled, "Given up."),
    Status(.unauthenticated, "Who?"),
  ])
  func `messages are repeated in their original order while messaging is unavailable`(
    status: Status
  ) async throws {
    try await withScriptedGateway { gateway in
      gateway.onSend = { _, count in count < 6 ? .fail(status) : .accept }
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      for number in 0..<3 { try client.send("\(number)") }
      try await gateway.sent.wait(for: "the first") { !$0.isEmpty }
      for number in 3..<6 { try client.send("\(number)") }
      let sent = try await gateway.sent.wait(for: "all messages") { $0.count == 12 }
      try await leave(client)
      #expect(sent.dropFirst(6).map(\.text) == ["0", "1", "2", "3", "4", "5"])
      for text in Set(sent.map(\.text)) {
        #expect(Set(sent.filter { $0.text == text }.map(\.key)).count == 1)
      }
      #expect(client.messages.entries.isEmpty)
      #expect(!client.logger.lines.contains { $0.hasPrefix("error") })
    }
  }

  @Test func `a stopping session sends its waiting messages before it leaves the meeting`()
    async throws
  {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      for number in 0..<200 { try client.send("\(number)") }
      try await leave(client)
      #expect(gateway.stops.entries == [200])
      #expect(gateway.sent.entries.map(\.text) == (0..<200).map { "\($0)" })
    }
  }

  @Test func `a stopping session waits only a limited time for answers`() async throws {
    try await withScriptedGateway { gateway in
      gateway.onSend = { _, _ in .keepWaiting }
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      let outcomes = AwaitableEntryList<OutgoingMessage.Outcome>()
      try client.log.realtimeSendDataMessage(
        topic: "chat", data: "m", lifetimeMs: 0, recipients: []
      ) { outcomes.append($0) }
      try await gateway.sent.wait(for: "the message") { !$0.isEmpty }
      try await leave(client)
      #expect(gateway.stops.entries == [1])
      try await outcomes.wait(for: "the outcome") { $0 == [.failure(.unconfirmed)] }
    }
  }

  @Test func `when a session ends, each sender learns whether its message was sent`() async throws {
    try await withScriptedGateway { gateway in
      gateway.onSend = { _, _ in .keepWaiting }
      let client = ConnectedClient(to: gateway.url)
      let outcomes = AwaitableEntryList<String>()
      try await client.join()
      for _ in 0..<50 {
        try client.log.realtimeSendDataMessage(
          topic: "chat", data: "m", lifetimeMs: 0, recipients: []
        ) { outcome in
          if case .failure(let failure) = outcome { outcomes.append("\(failure)") }
        }
      }
      try await gateway.sent.wait(for: "a full window") { $0.count == 48 }
      gateway.end(
        Status(.resourceExhausted, "Too many.", session: .audioServerHungup, reason: .flooding))
      try await client.hears("stopped audioServerHungup")
      let all = try await outcomes.wait(for: "all outcomes") { $0.count == 50 }
      #expect(all.count { $0 == DataMessageFailure.unconfirmed.description } == 48)
      #expect(all.count { $0 == DataMessageFailure.notSent.description } == 2)
      try client.send("too late")
      #expect(client.logger.lines.contains { $0.contains("the session has ended") })
      #expect(gateway.starts.entries.count == 1)
    }
  }
}
