import LongComputation
import MeetingModel
import TestSupport
import Testing

@testable import Gateway

@Suite(.longComputation) struct AdmissionQueueTests {
  private let start = ContinuousClock.now
  private let limits = AdmissionQueue.Limits(turns: 2, waiting: 3, longestWait: .seconds(2))

  private func ask(_ queue: inout AdmissionQueue) -> (AdmissionQueue.Ticket, AdmissionQueue.Verdict)
  {
    queue.ask(at: start, spread: 0.5)
  }

  @Test func `turns are limited, and waiting requests get turns in order of arrival`() {
    var queue = AdmissionQueue(limits)
    let asked = (0..<5).map { _ in ask(&queue) }
    #expect(asked.map(\.1) == [.turn, .turn, .wait, .wait, .wait])
    #expect(queue.end(asked[1].0, at: start) == [asked[2].0])
    #expect(queue.end(asked[0].0, at: start) == [asked[3].0])
    #expect(queue.turnCount == 2)
    #expect(queue.waitingCount == 1)
  }

  @Test func `a turn is given back only once`() {
    var queue = AdmissionQueue(limits)
    let asked = (0..<4).map { _ in ask(&queue) }
    #expect(queue.end(asked[0].0, at: start) == [asked[2].0])
    #expect(queue.end(asked[0].0, at: start) == [])
    #expect(queue.leave(asked[0].0, at: start) == [])
    #expect(queue.turnCount == 2)
  }

  @Test func `a request that leaves the queue is skipped`() {
    var queue = AdmissionQueue(limits)
    let asked = (0..<5).map { _ in ask(&queue) }
    #expect(queue.leave(asked[2].0, at: start) == [])
    #expect(queue.end(asked[0].0, at: start) == [asked[3].0])
  }

  @Test func `requests that do not fit into the queue get different retry delays`() {
    var queue = AdmissionQueue(limits)
    for _ in 0..<5 { _ = ask(&queue) }
    let pauses = [0, 0.5, 1].map { queue.ask(at: start, spread: $0).verdict }
    #expect(
      pauses == [
        .comeBack(after: .milliseconds(250)), .comeBack(after: .milliseconds(500)),
        .comeBack(after: .milliseconds(750)),
      ])
    #expect(queue.waitingCount == 3)
  }

  @Test func `the queue accepts only requests that will not wait for too long`() {
    var queue = AdmissionQueue(AdmissionQueue.Limits(turns: 1, waiting: 1_000))
    var turn = ask(&queue).0
    var now = start
    // One turn ends every second. After some turns, the queue expects a second client in the queue
    // to wait for 2 s, the longest permitted wait.
    for _ in 0..<30 {
      _ = queue.ask(at: now, spread: 0.5)
      now += .seconds(1)
      guard let next = queue.end(turn, at: now).first else { break }
      turn = next
    }
    var verdicts: [AdmissionQueue.Verdict] = []
    for _ in 0..<4 { verdicts.append(queue.ask(at: now, spread: 0.5).verdict) }
    #expect(verdicts.first == .wait)
    guard case .comeBack(let pause)? = verdicts.last else {
      return #expect(Bool(false), "\(verdicts)")
    }
    #expect(pause > .seconds(1) && pause <= .seconds(5))
  }

  @Test func `waiting requests become overdue if turns do not end`() {
    var queue = AdmissionQueue(limits)
    let asked = (0..<4).map { _ in ask(&queue) }
    let late = queue.ask(at: start + .seconds(3), spread: 0.5)
    #expect(late.verdict == .wait)
    #expect(queue.overdue(at: start + .seconds(4)) == [])
    #expect(queue.overdue(at: start + .milliseconds(4_001)) == [asked[2].0, asked[3].0])
    #expect(queue.end(asked[0].0, at: start + .seconds(5)) == [late.ticket])
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `for every history of requests, the queue keeps the limits and loses no request`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var queue = AdmissionQueue(limits)
    var turns: [AdmissionQueue.Ticket] = []
    var waiting: [AdmissionQueue.Ticket] = []
    var now = start
    for _ in 0..<500 {
      now += .milliseconds(Int.random(in: 0...40, using: &random))
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let (ticket, verdict) = queue.ask(at: now, spread: .random(in: 0...1, using: &random))
        switch verdict {
        case .turn: turns.append(ticket)
        case .wait: waiting.append(ticket)
        case .comeBack(let pause):
          #expect(pause >= .milliseconds(250) && pause <= .seconds(5))
        }
      case 5..<8:
        guard let index = turns.indices.randomElement(using: &random) else { continue }
        let called = queue.end(turns.remove(at: index), at: now)
        #expect(called == Array(waiting.prefix(called.count)))
        waiting.removeFirst(called.count)
        turns += called
      case 8:
        guard let index = waiting.indices.randomElement(using: &random) else { continue }
        #expect(queue.leave(waiting.remove(at: index), at: now) == [])
      default:
        let late = queue.overdue(at: now)
        #expect(late == Array(waiting.prefix(late.count)))
        waiting.removeFirst(late.count)
      }
      #expect(turns.count == queue.turnCount && queue.turnCount <= 2)
      #expect(waiting.count == queue.waitingCount && queue.waitingCount <= 3)
      #expect(waiting.isEmpty || turns.count == 2)
    }
  }
}
