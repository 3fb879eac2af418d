import MeetingModel
import TestSupport
import Testing
import Wire

extension EndToEnd {
  /// Tests of messages that break a rule. The server refuses and counts such messages, and no other
  /// client notices such messages.
  struct BadMessagesTests {
    /// A message, and a word of the error that the message causes.
    struct Bad: Sendable, CustomTestStringConvertible {
      let testDescription: String
      let request: V1.SendDataMessageRequest
      let says: String
    }

    static let bad = [
      Bad(
        testDescription: "a negative lifetime, which is looked at first",
        request: .init(topic: "a b", data: [], lifetimeMs: -1), says: "lifetime"),
      Bad(
        testDescription: "no topic", request: .init(topic: "", data: []), says: "topic"),
      Bad(
        testDescription: "a topic of 37 characters",
        request: .init(topic: String(repeating: "a", count: 37), data: []), says: "topic"),
      Bad(
        testDescription: "a topic of 10,000 characters",
        request: .init(topic: String(repeating: "a", count: 10_000), data: []), says: "topic"),
      Bad(
        testDescription: "a topic with a newline", request: .init(topic: "abc\n", data: []),
        says: "topic"),
      Bad(
        testDescription: "a topic in Greek", request: .init(topic: "λόγος", data: []),
        says: "topic"),
      Bad(
        testDescription: "a topic of services", request: .init(topic: "aws:chime:transcription"),
        says: "topic"),
      Bad(
        testDescription: "a topic of this house", request: .init(topic: "carillon:x"),
        says: "topic"),
      Bad(
        testDescription: "2,049 bytes",
        request: .init(topic: "chat", data: [UInt8](repeating: 0, count: 2_049)), says: "bytes"),
      Bad(
        testDescription: "251 recipients",
        request: .init(
          topic: "chat", data: [], recipients: [String](repeating: "someone", count: 251)),
        says: "ecipients"),
    ]

    @Test func `malformed messages are refused and reach no attendee`() async throws {
      try await withTalkers(["ada", "grace"]) { meeting, clients in
        for bad in Self.bad {
          let answer = try await clients[0].call(
            V1.AudioVideoFacadeMethods.sendDataMessage, bad.request)
          #expect(answer.status?.code == .invalidArgument, "\(bad.testDescription)")
          #expect(
            answer.status?.message.contains(bad.says) == true,
            "\(bad.testDescription): \(answer.status?.message ?? "")")
        }
        try await clients[0].sayAndWait("chat", "well")
        try await clients[1].hears(exactly: ["well"])
        let refused = try await meeting.installation.messagingMetrics().sum(
          "carillon_messaging_refusals_total", [:])
        #expect(refused == Self.bad.count)
      }
    }

    @Test func `an attendee that floods is disconnected, can return and disturbs no other client`()
      async throws
    {
      let options = Installation.Options(
        messagingFlags: ["--attendee-flood-burst", "100", "--attendee-flood-per-second", "1"])
      try await withNeighbours(options) { meeting, _ in
        try await withTalker("flood", in: meeting) { client, attendee in
          for _ in 0..<200 { _ = try await client.say("chat", [1]) }
          let status = try await client.ending()
          #expect(status?.reason == .flooding)
          #expect(status?.sessionStatus == .audioServerHungup)
          try await withRawClient(meeting.installation) { again in
            try await again.start(attendee)
          }
        }
      }
    }

    @Test func `only attendees of the meeting can send messages`() async throws {
      try await withTalkers(["ada"]) { meeting, clients in
        let request = V1.SendDataMessageRequest(topic: "chat", data: [1])
        try await withRawClient(meeting.installation) { stranger in
          let answer = try await stranger.call(
            V1.AudioVideoFacadeMethods.sendDataMessage, request)
          #expect(answer.status?.code == .unauthenticated)
        }
        let content = try await meeting.installation.createAttendee("sharer", in: meeting.record)
        try await withRawClient(meeting.installation) { sharer in
          try await sharer.start(content, modality: "#content")
          let answer = try await sharer.call(V1.AudioVideoFacadeMethods.sendDataMessage, request)
          #expect(answer.status?.code == .failedPrecondition)
        }
        #expect(clients[0].messages.isEmpty)
      }
    }
  }
}
