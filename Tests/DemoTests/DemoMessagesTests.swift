import Testing

@testable import Demo
@testable import LocalInstallation
@testable import MeetingViews
@testable import Output

/// Tests that the demo accepts correct results about messages, and rejects wrong results.
@Suite(.timeLimit(.minutes(5))) struct DemoMessagesTests {
  private let ada = AttendeeName(attendeeID: "a", externalUserID: "ada")

  /// Returns a client that never starts. The test itself writes the client's journal.
  private func listener(_ name: String = "eve") -> SubprocessClient {
    SubprocessClient(
      name: name, attendeeID: name, command: ChildCommand("/nowhere", environment: [:]),
      spawner: ProcessSpawner())
  }

  private func event(
    _ sequence: UInt64, _ data: [UInt8] = [1], on topic: DemoTopic = .bytes
  ) -> ObservedEvent {
    .message(
      DisplayedDataMessage(topic: topic.rawValue, data: data, sender: ada, sequence: sequence))
  }

  private func logged(_ sequences: UInt64...) -> [DataMessageWithPosition] {
    sequences.map { DataMessageWithPosition(sequence: $0, data: [1]) }
  }

  @Test func `messages that arrive in the order of the log are accepted`() async throws {
    let eve = listener()
    let cast = ObservedClientGroup(clients: [eve])
    eve.journal.record(event(1))
    let mark = cast.mark
    async let times = cast.hear(logged(2, 4), on: .bytes, since: mark, within: .seconds(30))
    for heard in [event(2), event(3, on: .late), .reconnecting, event(4)] {
      eve.journal.record(heard)
    }
    #expect(try await times.fields.map(\.name) == ["eve"])
    #expect(try cast.requireRisingSequences().json == #"{"eve": 4}"#)
  }

  @Test(
    arguments: [
      ([3], "message 3 arrived instead of 2"), ([2, 2, 3], "message 2 arrived instead of 3"),
      ([1, 2, 3], "message 1 arrived instead of 2"), ([2, 3, 4], "unexpected message 4 arrived"),
      ([3, 2], "message 3 arrived instead of 2"), ([2], "nothing more arrived"),
    ] as [([UInt64], String)])
  func `missing, repeated, additional and misplaced messages are found`(
    sequences: [UInt64], words: String
  ) {
    let eve = listener()
    let cast = ObservedClientGroup(clients: [eve])
    for sequence in sequences { eve.journal.record(event(sequence)) }
    let failure = #expect(throws: CommandFailure.self) {
      try cast.require(logged(2, 3), on: .bytes, since: cast.beginning)
    }
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
  }

  @Test func `the listener detects a message with changed bytes`() {
    let eve = listener()
    let cast = ObservedClientGroup(clients: [eve])
    eve.journal.record(event(2, [2]))
    let failure = #expect(throws: CommandFailure.self) {
      try cast.require(logged(2), on: .bytes, since: cast.beginning)
    }
    #expect(failure?.message.contains("message 2 has other bytes") == true)
  }

  @Test func `a client that misses the last message is reported by name at the deadline`() async {
    let cast = ObservedClientGroup(clients: [listener("eve"), listener("ben")])
    cast.clients[1].journal.record(event(2))
    let failure = await #expect(throws: CommandFailure.self) {
      try await cast.hear(logged(2), on: .bytes, since: cast.beginning, within: .zero)
    }
    #expect(failure?.message.hasPrefix("eve did not receive") == true)
  }

  @Test(arguments: [([1, 1], 1), ([1, 3, 2], 2)] as [([UInt64], Int)])
  func `the check of all events finds repeated messages and messages that arrive out of order`(
    sequences: [UInt64], late: Int
  ) {
    let eve = listener()
    for sequence in sequences { eve.journal.record(event(sequence)) }
    let failure = #expect(throws: CommandFailure.self) {
      try ObservedClientGroup(clients: [eve]).requireRisingSequences()
    }
    #expect(failure?.message.contains("message \(late) after") == true)
  }

  @Test func `each client must get the other clients' messages in the order of the log`() {
    let start = ContinuousClock.now
    func acknowledgement(_ sender: String, _ sequence: UInt64, _ ms: Int, _ refusals: Int)
      -> MessageLoad.Acknowledgement
    {
      MessageLoad.Acknowledgement(
        sender: sender, logged: DataMessageWithPosition(sequence: sequence, data: [1]),
        refusals: refusals,
        time: start + .milliseconds(ms))
    }
    let result = MessageLoad.SentMessages(acknowledgements: [
      acknowledgement("ada", 2, 0, 1), acknowledgement("ben", 1, 10, 0),
      acknowledgement("ada", 4, 310, 2), acknowledgement("ben", 3, 311, 0),
    ])
    #expect(result.logged(exceptBy: "ada") == logged(1, 3))
    #expect(result.logged(exceptBy: "eve") == logged(1, 2, 3, 4))
    #expect(result.longestPause == .milliseconds(300))
    #expect(result.refusals == 3)
  }

  @Test func `the expected roster changes include the changes of watched clients and of guests`() {
    var guests = DemoExtraAttendees()
    guests.expect([.joined, .dropped], of: "dora")
    guests.expect([.joined, .left], of: "finn")
    let cast = ObservedClientGroup(clients: [listener("ben")])
    #expect(
      guests.changes(beside: cast) == [
        "ben": [.joined], "dora": [.joined, .dropped], "finn": [.joined, .left],
      ])
    #expect(guests.count(of: .joined) == 2)
    #expect(guests.count(of: .left) == 1)
  }
}
