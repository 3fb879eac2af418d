import ClientTestSupport
import Foundation
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import CarillonClientCore

/// Tests of data messages over real sockets, between clients of the library and a scripted gateway.
@Suite(.timeLimit(.minutes(5))) struct DataMessageDeliveryTests {
  /// Covers rule 27 of the conformance list for `AudioVideoFacade`.
  @Test func `each message of text, bytes, JSON or data arrives byte for byte`() async throws {
    try await withScriptedGateway { gateway in
      gateway.onStart = { request, _ in .opened(request.attendeeID == "ada" ? 1 : 2) }
      let receiver = ConnectedClient(to: gateway.url, as: "bob")
      let sender = ConnectedClient(to: gateway.url)
      try await receiver.join()
      try await sender.join()
      gateway.onSend = { [unowned gateway] sent, count in
        var event = V1.SessionEvents.messages(UInt64(count + 1)...UInt64(count + 1))
        if case .dataMessage(var message) = event.events[0].event {
          message.data = sent.request.data
          event.events[0].event = .dataMessage(message)
        }
        gateway.say(event, exceptTo: sent.sessionID)
        return .accept
      }
      let binary = [0, 0xff, 0, 0xc3, 0x28] + (0...255).map { UInt8($0) }
      let payloads: [Any] = [
        "a\u{0}é", binary, Data(binary.reversed()), ["k": "v"], [1, 2], "",
        String(repeating: "x", count: 2048),
      ]
      for payload in payloads { try sender.send(payload) }
      let bytes = try await receiver.messages.wait(for: "all messages") { $0.count == 7 }.map {
        Array($0.data)
      }
      #expect(
        bytes == [
          Array("a\u{0}é".utf8), binary, binary.reversed(), Array(#"{"k":"v"}"#.utf8),
          Array("[1,2]".utf8), [], [UInt8](repeating: 0x78, count: 2048),
        ])
      #expect(sender.messages.entries.isEmpty)
      sender.audioVideo.stop()
      receiver.audioVideo.stop()
      try await receiver.hears("stopped ok")
    }
  }

  /// Covers rule 28 of the conformance list for `AudioVideoFacade`.
  @Test func `the server gets each lifetime unchanged, and a late joiner gets the kept messages`()
    async throws
  {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      let lifetimes: [Int32] = [0, 1, 300_000, 300_001, .max]
      for lifetime in lifetimes { try client.send("m", lifetimeMs: lifetime) }
      let sent = try await gateway.sent.wait(for: "all messages") { $0.count == 5 }
      #expect(sent.map(\.request.lifetimeMs) == lifetimes)
      gateway.say(.messages(3...5))
      #expect(try await client.texts(3) == ["1/3", "1/4", "1/5"])
      let message = try #require(client.messages.entries.first)
      #expect(message.topic == "chat")
      #expect(message.senderAttendeeId == "bob")
      #expect(message.senderExternalUserId == "Bob")
      #expect(message.timestampMs == 1003)
      #expect(!message.throttled)
      #expect(message.sequence == 3)
      #expect(message.messageId == "m3")
      #expect(message.lifetimeMs == 60_000)
      #expect(message.recipients == ["ada"])
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }

  /// Covers rule 29 of the conformance list for `AudioVideoFacade`.
  @Test func `each message over the limit is returned as throttled, and the others are delivered`()
    async throws
  {
    try await withScriptedGateway { gateway in
      gateway.onSend = { _, count in count < 200 ? .accept : .throttle(afterMs: 10) }
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      for number in 0..<300 { try client.send("\(number)", lifetimeMs: 5) }
      let texts = try await client.texts(100)
      #expect(texts == (200..<300).map { "\($0)" })
      for message in client.messages.entries {
        #expect(message.throttled)
        #expect(message.topic == "chat")
        #expect(message.senderAttendeeId == "ada")
        #expect(message.senderExternalUserId == "user ada")
        #expect(message.timestampMs >= 5_000_000)
        #expect(message.sequence == 0)
        #expect(message.retryAfterMs == 10)
        #expect(message.lifetimeMs == 5)
      }
      #expect(gateway.sent.entries.map(\.text) == (0..<300).map { "\($0)" })
      #expect(Set(gateway.sent.entries.map(\.key)).count == 300)
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }

  @Test func `a throttled message is not returned to a sender that does not observe the topic`()
    async throws
  {
    try await withScriptedGateway { gateway in
      gateway.onSend = { _, _ in .throttle(afterMs: 10) }
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      try client.send("quiet", on: "other")
      try client.send("loud")
      #expect(try await client.texts(1) == ["loud"])
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }

  @Test func `a receipt states the message's position, and the request names the recipients`()
    async throws
  {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      let recipients = [UUID().uuidString.lowercased()]
      let receipt = try await client.log.realtimeSendDataMessage(
        topic: "chat", data: "hello", lifetimeMs: 0, recipients: recipients)
      #expect(receipt.sequence == 1)
      #expect(receipt.messageId == "m1")
      #expect(receipt.timestampMs == 1001)
      #expect(gateway.sent.entries.first?.request.recipients == recipients)
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }

  @Test func `a sender learns the outcome of each message`() async throws {
    try await withScriptedGateway { gateway in
      gateway.onSend = { sent, _ in
        switch sent.text {
        case "throttled": .throttle(afterMs: 250)
        case "wrong": .fail(Status(.invalidArgument, "Not so."))
        case "replica": .fail(Status(.failedPrecondition, "Promote first."))
        case "flood": .fail(Status(.resourceExhausted, "Too many.", reason: .flooding))
        default: .accept
        }
      }
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      func outcome(_ text: String) async -> String {
        do {
          let receipt = try await client.log.realtimeSendDataMessage(
            topic: "chat", data: text, lifetimeMs: 0, recipients: [])
          return "accepted \(receipt.sequence)"
        } catch {
          return "\(error)"
        }
      }
      #expect(await outcome("throttled") == "Too many data messages; send it again in 250 ms.")
      #expect(await outcome("wrong").hasSuffix("Not so."))
      #expect(await outcome("replica").hasSuffix("Promote first."))
      #expect(await outcome("flood").hasSuffix("Too many."))
      #expect(await outcome("fine") == "accepted 1")
      #expect(gateway.sent.entries.count == 5, "nothing of this is repeated")
      #expect(client.logger.lines.count { $0.hasPrefix("error: A data message was dropped") } == 3)
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }
}
