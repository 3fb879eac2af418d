import MeetingModel
import TestSupport
import Testing
import Wire

@testable import Gateway

@Suite final class PendingClientMessagesTests {
  private static let first = PendingClientMessages.Destination(instance: "messaging-a", term: 1)
  private static let second = PendingClientMessages.Destination(instance: "messaging-a", term: 2)
  private let start = ContinuousClock.now
  private var outgoing = PendingClientMessages(at: 7)

  private func append(_ numbers: ClosedRange<UInt64>) {
    for number in numbers {
      outgoing.append(
        PendingClientMessages.Message(
          number: number, request: V1.SendDataMessageRequest(), idempotencyKey: "\(number)",
          traceparent: "", answer: { _ in }, deadline: start + .seconds(5)))
    }
  }

  private func putBack(_ number: UInt64, after seconds: Double = 0) -> Bool {
    outgoing.putBack(number, at: start + .seconds(seconds))
  }

  private func remove(_ number: UInt64) -> UInt64? { outgoing.remove(number)?.number }

  private func take(_ lane: PendingClientMessages.Destination) -> [UInt64] {
    outgoing.take(for: lane, at: 7).map(\.number)
  }

  @Test func `messages are sent as they arrive, without waiting for answers`() {
    append(1...2)
    #expect(take(Self.first) == [1, 2])
    append(3...3)
    #expect(take(Self.first) == [3])
    #expect(take(Self.first).isEmpty)
  }

  @Test func `messages are sent under a new term only after all pending answers have arrived`() {
    append(1...2)
    _ = take(Self.first)
    append(3...3)
    #expect(take(Self.second).isEmpty)
    _ = outgoing.remove(1)
    #expect(take(Self.second).isEmpty)
    #expect(putBack(2))
    outgoing.resume()
    #expect(take(Self.second) == [2, 3])
  }

  @Test func `messages after a refused message wait until the refused message is sent again`() {
    append(1...3)
    _ = take(Self.first)
    #expect(putBack(1))
    append(4...4)
    #expect(take(Self.first).isEmpty)
    outgoing.resume()
    // Two messages are still in transit. Messaging may refuse these messages like the first
    // message.
    #expect(take(Self.first).isEmpty)
    #expect(putBack(2))
    #expect(putBack(3))
    outgoing.resume()
    #expect(take(Self.first) == [1, 2, 3, 4])
  }

  @Test func `an expired message is not queued again`() {
    append(1...1)
    _ = take(Self.first)
    #expect(!putBack(1, after: 5))
    #expect(remove(1) == 1)
    #expect(outgoing.count == 0)
  }

  @Test func `messages that are queued again are sent in a new round`() {
    append(1...2)
    _ = take(Self.first)
    let round = outgoing.round
    #expect(putBack(1))
    #expect(putBack(2))
    outgoing.resume()
    #expect(outgoing.round == round)
    #expect(take(Self.first) == [1, 2])
    #expect(outgoing.round == round + 1)
    append(3...3)
    _ = take(Self.first)
    #expect(outgoing.round == round + 1)
  }

  @Test func `messages that follow an expired message are sent in a new round`() {
    append(1...1)
    _ = take(Self.first)
    #expect(!putBack(1, after: 5))
    _ = outgoing.remove(1)
    append(2...2)
    _ = take(Self.first)
    #expect(outgoing.round == 8)
  }

  @Test(arguments: 0..<100) func `messaging never accepts a message before an older message`(
    seed: Int
  ) {
    var random = SeededGenerator(seed: UInt64(seed))
    var (sent, term, accepted): (UInt64, UInt64, [UInt64]) = (0, 1, [])
    // The messages that have arrived at messaging, in order, with their term and round.
    var arrived: [(number: UInt64, term: UInt64, round: UInt64)] = []
    // The last round in which messaging refused a message because of a disk failure.
    var refused: UInt64 = 0
    for _ in 0..<500 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: (term, refused) = (term + 1, 0)
      case 1, 2:
        sent += 1
        append(sent...sent)
      case 3: outgoing.resume()
      case 4, 5: break
      default:
        guard !arrived.isEmpty else { continue }
        let next = arrived.removeFirst()
        if Int.random(in: 0..<8, using: &random) == 0 { refused = max(refused, next.round) }
        // A restarted service refuses messages with its older term.
        if next.term == term, next.round > refused {
          accepted.append(next.number)
          _ = outgoing.remove(next.number)
        } else {
          _ = outgoing.putBack(next.number, at: start)
        }
      }
      let lane = PendingClientMessages.Destination(instance: "messaging-a", term: term)
      let leaving = outgoing.take(for: lane, at: UInt64(term) + 7)
      arrived += leaving.map { ($0.number, term, outgoing.round) }
    }
    #expect(accepted == accepted.sorted())
    #expect(Set(accepted).count == accepted.count)
  }
}
