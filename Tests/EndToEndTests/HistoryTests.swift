import TestSupport
import Testing
import Wire

extension EndToEnd {
  /// Tests of random faults with real clients and real processes. After the faults, a test checks
  /// the history of each client.
  struct HistoryTests {
    /// Four fixed seeds and one random seed. A failure prints its seed.
    static let seeds: [UInt64] = [1, 2, 3, 4, .random(in: 1_000...999_999)]

    @Test(arguments: seeds)
    func `despite faults, every client receives every message once and in the same order`(
      seed: UInt64
    ) async throws {
      let options = Installation.Options(
        gateways: ["gateway-a", "gateway-b"],
        // The limits allow small bursts but not large bursts, so the server throttles some
        // messages.
        messagingFlags: ["--data-messages-per-second", "60", "--data-message-burst", "40"])
      try await withMeeting(options) { meeting in
        let scenario = MessageFaultScenario(meeting, seed: seed)
        do {
          try await scenario.play()
          let wrong = scenario.check()
          #expect(wrong.isEmpty, "seed \(seed): \(wrong.prefix(5).joined(separator: "; "))")
        } catch {
          Issue.record("seed \(seed): \(error)")
        }
        await scenario.end()
      }
    }

    @Test
    func `the history checker detects lost, repeated, foreign, expired and unordered messages`() {
      let sent = [
        SentMessage(
          text: "a", sender: "ada", lifetimeMs: 0, listeners: 2,
          outcome: .accepted(sequence: 1, id: "m-1")),
        SentMessage(text: "b", sender: "ada", lifetimeMs: 0, listeners: 2, outcome: .throttled),
      ]
      func heard(_ sequence: UInt64, _ text: String, ageMs: Int64 = 0) -> HeardMessage {
        HeardMessage(
          sequence: sequence, id: "m-\(sequence)", text: text, sender: "ada", lifetimeMs: 100,
          ageMs: ageMs)
      }
      func violations(_ messages: HeardMessage...) -> Int {
        let history = MessageHistory(name: "ben", position: 1, heard: messages, isComplete: true)
        return HistoryChecker(sent: sent, histories: [history]).violations().count
      }
      #expect(violations(heard(1, "a")) == 0)
      #expect(violations() == 1)
      #expect(violations(heard(1, "a"), heard(1, "a")) == 2)
      #expect(violations(heard(1, "a"), heard(2, "b")) == 1)
      #expect(violations(heard(1, "c")) == 1)
      #expect(violations(heard(1, "a", ageMs: 10_000)) == 1)
      let turns = [(1, 2), (2, 1)].map { turn, sequence in
        SentMessage(
          text: "\(turn)", sender: "ada", lifetimeMs: 0, listeners: 0, turn: turn,
          outcome: .accepted(sequence: UInt64(sequence), id: "m-\(sequence)"))
      }
      #expect(HistoryChecker(sent: turns, histories: []).violations().count == 1)
    }
  }
}
