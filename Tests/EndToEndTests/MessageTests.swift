import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

extension EndToEnd {
  /// Tests of data messages from client to client, through the gateway and messaging.
  struct MessageTests {
    @Test func `a message reaches every other attendee unchanged and once`() async throws {
      try await withTalkers(["ada", "grace", "lin"]) { _, clients in
        let payloads: [[UInt8]] = [
          Array("hello".utf8), [], [0, 1, 0, 255, 254], Array(#"{"a":[1,2]}"#.utf8),
          [UInt8](repeating: 7, count: 2_048),
        ]
        for (number, payload) in payloads.enumerated() {
          let place = try await clients[0].place(of: clients[0].say("chat", payload))
          #expect(place.sequence == UInt64(number + 1))
        }
        for listener in clients[1...] {
          let heard = try await listener.hears(count: payloads.count)
          #expect(heard.map(\.data) == payloads)
          #expect(heard.map(\.sequence) == [1, 2, 3, 4, 5])
          #expect(heard.allSatisfy { $0.sender?.externalUserID == "ada" && $0.topic == "chat" })
          #expect(heard.map(\.timestampMs) == heard.map(\.timestampMs).sorted())
        }
        // An echo of ada's own messages would arrive before this message.
        try await clients[1].sayAndWait("chat", "end")
        try await clients[0].hears(exactly: ["end"])
      }
    }

    @Test func `a late joiner gets the kept messages that have not expired`() async throws {
      try await withTalkers(["ada"]) { meeting, clients in
        try await clients[0].sayAndWait("chat", "live-only", lifetimeMs: 0)
        try await clients[0].sayAndWait("chat", "kept", lifetimeMs: 60_000)
        try await clients[0].sayAndWait("chat", "short", lifetimeMs: 1)
        try await eventually("the short one to expire") {
          let list = try await meeting.installation.ask(
            V1.OperatorMethods.listMessages,
            V1.ListMessagesRequest(meetingID: meeting.record.meetingID))
          return list.messages.map { String(decoding: $0.data, as: UTF8.self) } == ["kept"]
        }
        try await withTalker("late", in: meeting) { late, _ in
          try await clients[0].sayAndWait("chat", "now", lifetimeMs: 0)
          try await late.hears(exactly: ["kept", "now"])
          #expect(late.messages.map(\.sequence) == [2, 4])
        }
      }
    }

    @Test func `only the recipients get a message, even when the message is replayed`() async throws
    {
      try await withTalkers(["ada", "grace", "lin"]) { meeting, clients in
        let lin = try await meeting.attendee("lin")
        try await clients[0].sayAndWait("dm", "secret", lifetimeMs: 60_000, to: [lin.attendeeID])
        try await clients[0].sayAndWait("dm", "open", lifetimeMs: 60_000)
        try await clients[2].hears(exactly: ["secret", "open"])
        try await clients[1].hears(exactly: ["open"])
        try await withTalker("late", in: meeting) { late, _ in
          try await late.hears(exactly: ["open"])
        }
      }
    }

    @Test func `each of 3,000 messages sent in a loop is delivered or returned to the sender`()
      async throws
    {
      try await withMeeting { meeting in
        var talkers: [Talker] = []
        for (position, name) in ["ada", "grace"].enumerated() {
          let attendee = try await meeting.installation.createAttendee(name, in: meeting.record)
          let talker = Talker(
            attendee, position: position,
            through: meeting.installation.gateway.clientURL, signalingURL: "ws://localhost")
          try await talker.join()
          talkers.append(talker)
        }
        let (ada, grace) = (talkers[0], talkers[1])
        for number in 0..<3_000 { try ada.say("\(number)") }
        try await eventually("each to be somewhere", within: .seconds(30)) {
          ada.returned.count + grace.heard.count >= 3_000
        }
        let (back, heard) = (ada.returned.entries, grace.heard.entries.map(\.text))
        #expect(Set(back + heard) == Set((0..<3_000).map { "\($0)" }))
        #expect(back.count + heard.count == 3_000)
        for texts in [back, heard] {
          #expect(texts.compactMap { Int($0) } == texts.compactMap { Int($0) }.sorted())
        }
        for talker in talkers { talker.leave() }
      }
    }

    @Test func `if messages exceed the limit, some are throttled, and the others arrive in order`()
      async throws
    {
      try await withTalkers(["ada", "grace", "lin"]) { _, clients in
        var calls: [UInt64] = []
        for number in 0..<300 {
          // Keep at most 200 calls open; a client may have 256 open calls.
          if number >= 200 { _ = try await clients[0].answer(to: calls[number - 200]) }
          calls.append(try await clients[0].say("chat", Array("\(number)".utf8)))
        }
        var accepted: [String] = []
        var waits: [UInt32] = []
        for (number, call) in calls.enumerated() {
          let answer = try await clients[0].answer(to: call)
          #expect(answer.status == nil)
          switch try V1.SendDataMessageReply(packed: answer.body).outcome {
          case .accepted: accepted.append("\(number)")
          case .throttled(let throttled): waits.append(throttled.retryAfterMs)
          case nil: Issue.record("An answer says nothing.")
          }
        }
        #expect(accepted.count >= 200)
        #expect(!waits.isEmpty && waits.allSatisfy { $0 > 0 })
        for listener in clients[1...] { try await listener.hears(exactly: accepted) }
      }
    }

    @Test func `a message that is sent again with the same key is delivered once`() async throws {
      try await withTalkers(["ada", "grace"]) { _, clients in
        let first = try await clients[0].sayAndWait("chat", "once", key: "k-1")
        let again = try await clients[0].sayAndWait("chat", "once", key: "k-1")
        #expect(again.sequence == first.sequence && again.isRepeat && !first.isRepeat)
        try await clients[0].sayAndWait("chat", "end")
        try await clients[1].hears(exactly: ["once", "end"])
      }
    }

    @Test func `clients of two gateways receive messages in the same order`() async throws {
      let options = Installation.Options(gateways: ["gateway-a", "gateway-b"])
      try await withTalkers(["ada", "grace"], options) { meeting, clients in
        let url = meeting.installation.gateways[1].clientURL
        try await withTalker("far", in: meeting, at: url) { far, _ in
          for number in 0..<20 {
            _ = try await clients[number % 2].say("chat", Array("\(number)".utf8))
          }
          try await far.sayAndWait("chat", "far")
          let heard = try await far.hears(count: 20)
          #expect(heard.map(\.sequence) == heard.map(\.sequence).sorted())
          for client in clients {
            let others = try await client.hears(count: 11)
            #expect(others.map(\.sequence) == others.map(\.sequence).sorted())
          }
        }
      }
    }
  }
}

extension TestMeeting {
  /// Returns the attendee with this name from the operator interface.
  func attendee(_ name: String) async throws -> V1.AttendeeRecord {
    let list = try await installation.ask(
      V1.OperatorMethods.listAttendees, V1.ListAttendeesRequest(meetingID: record.meetingID))
    return try #require(list.attendees.first { $0.externalUserID == name })
  }
}

/// Runs `body` with a raw client that has joined a meeting.
func withTalker(
  _ name: String, in meeting: TestMeeting, at url: String? = nil,
  _ body: (RawClient, V1.AttendeeRecord) async throws -> Void
) async throws {
  let attendee = try await meeting.installation.createAttendee(name, in: meeting.record)
  try await withRawClient(meeting.installation, at: url) { client in
    try await client.start(attendee)
    try await body(client, attendee)
  }
}

/// Runs `body` with raw clients that have joined a meeting of a new installation.
func withTalkers(
  _ names: [String], _ options: Installation.Options = .init(),
  _ body: (TestMeeting, [RawClient]) async throws -> Void
) async throws {
  try await withMeeting(options) { meeting in
    try await withTalkers(names[...], and: [], in: meeting) { try await body(meeting, $0) }
  }
}

private func withTalkers(
  _ names: ArraySlice<String>, and clients: [RawClient], in meeting: TestMeeting,
  _ body: ([RawClient]) async throws -> Void
) async throws {
  guard let name = names.first else { return try await body(clients) }
  try await withTalker(name, in: meeting) { client, _ in
    try await withTalkers(names.dropFirst(), and: clients + [client], in: meeting, body)
  }
}
