import TestSupport
import Bus
import Testing
import Wire

struct StreamFollowerTests {
  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func `each event arrives once and in order despite loss, repetition and delay`(seed: UInt64) {
    var simulation = Simulation(seed: seed)
    simulation.run(steps: 400)
    #expect(simulation.observed.mistakes == [])
    #expect(simulation.observed.position == simulation.ownerPosition)
    #expect(simulation.observed.delivered > 0)
  }

  @Test func `events wait for the first snapshot`() {
    let (follower, log) = follow()
    for sequence in 1...5 as ClosedRange<UInt64> { follower.arrive(sequence) }
    #expect(log.sequences == [])
    follower.reset(epoch: 1, sequence: 3)
    #expect(log.sequences == [4, 5])
    #expect(log.questions == [])
  }

  @Test func `missing events are requested once and are delivered before later events`() {
    let (follower, log) = follow(from: 10)
    for sequence in [11, 13, 14, 14, 15] as [UInt64] { follower.arrive(sequence) }
    follower.observe(V1.MeetingPosition(epoch: 1, lastSequence: 15))
    #expect(log.sequences == [11])
    #expect(log.questions == [11])
    follower.caughtUp(with: [event(12), event(13)])
    #expect(log.sequences == [11, 12, 13, 14, 15])
    #expect(log.questions == [11])
  }

  @Test func `a failed catch-up is repeated at the next beacon`() {
    let (follower, log) = follow(from: 0)
    follower.arrive(2)
    follower.catchUpFailed()
    follower.observe(V1.MeetingPosition(epoch: 1, lastSequence: 2))
    #expect(log.questions == [0, 0])
    follower.caughtUp(with: [event(1)])
    #expect(log.sequences == [1, 2])
  }

  @Test func `a follower repeats its request if the owner returns only some of the missing events`()
  {
    let (follower, log) = follow(from: 0)
    var answers = 0
    follower.onCatchUp = { _, after in
      answers += 1
      follower.caughtUp(with: [event(after + 1)])
    }
    follower.arrive(5)
    #expect(log.sequences == [1, 2, 3, 4, 5])
    #expect(answers == 4)
  }

  @Test func `a follower keeps at most 4096 events while it catches up`() {
    let (follower, log) = follow(from: 0)
    for sequence in 2...10_000 as ClosedRange<UInt64> { follower.arrive(sequence) }
    follower.caughtUp(with: [event(1)])
    #expect(log.sequences == Array(1...4097))
    #expect(log.questions == [0])
    follower.observe(V1.MeetingPosition(epoch: 1, lastSequence: 10_000))
    #expect(log.questions == [0, 4097])
    follower.caughtUp(with: (4098...10_000).map { event($0) })
    #expect(log.sequences == Array(1...10_000))
  }

  @Test func `at a new epoch, a follower catches up once and continues from the epoch's snapshot`()
  {
    let (follower, log) = follow(from: 8)
    follower.arrive(1, epoch: 2)
    follower.arrive(2, epoch: 2)
    #expect(log.questions == [8])
    follower.reset(epoch: 2, sequence: 1)
    #expect(log.sequences == [2])
    #expect(follower.cursor == StreamCursor(epoch: 2, sequence: 2))
  }

  @Test func `newer volatile events replace older volatile events`() {
    let (follower, log) = follow(from: 0)
    for tick in [1, 3, 2, 3, 4] as [UInt64] { follower.arriveVolatile(tick) }
    #expect(log.ticks == [1, 3, 4])
    follower.arriveVolatile(5, epoch: 9)
    follower.reset(epoch: 1, sequence: 7, tick: 6)
    follower.arriveVolatile(6)
    follower.reset(epoch: 1, sequence: 8)
    follower.arriveVolatile(6)
    follower.arriveVolatile(7)
    #expect(log.ticks == [1, 3, 4, 7])
    follower.reset(epoch: 2, sequence: 0)
    follower.arriveVolatile(1, epoch: 2)
    #expect(log.ticks == [1, 3, 4, 7, 1])
  }

  private func follow(from sequence: UInt64? = nil) -> (StreamFollower, Log) {
    let follower = StreamFollower()
    let log = Log()
    follower.onEvent = { header, _ in
      if header.sequence > 0 {
        log.sequences.append(header.sequence)
      } else {
        log.ticks.append(header.tick)
      }
    }
    follower.onCatchUp = { _, after in log.questions.append(after) }
    if let sequence { follower.reset(epoch: 1, sequence: sequence) }
    return (follower, log)
  }

  private final class Log {
    var sequences: [UInt64] = []
    var ticks: [UInt64] = []
    var questions: [UInt64] = []
  }
}

private func event(_ sequence: UInt64, epoch: UInt64 = 1) -> V1.PackedEvent {
  V1.PackedEvent(
    header: V1.EventHeader(epoch: epoch, sequence: sequence), body: body(epoch, sequence))
}

private func body(_ epoch: UInt64, _ sequence: UInt64) -> [UInt8] {
  Array("\(epoch)/\(sequence)".utf8)
}

extension StreamFollower {
  fileprivate func arrive(_ sequence: UInt64, epoch: UInt64 = 1) {
    arrive(V1.EventHeader(epoch: epoch, sequence: sequence), body(epoch, sequence))
  }

  fileprivate func arriveVolatile(_ tick: UInt64, epoch: UInt64 = 1) {
    arrive(V1.EventHeader(epoch: epoch, tick: tick), [])
  }
}

/// An owner, a network that loses, repeats and delays events, and a follower.
private struct Simulation {
  private var generator: SeededGenerator
  private var epoch: UInt64 = 1
  private var last: UInt64 = 0
  private var oldestKept: UInt64 = 1
  private var underWay: [V1.EventHeader] = []
  private let follower = StreamFollower()
  let observed = Observed()

  var ownerPosition: StreamCursor { StreamCursor(epoch: epoch, sequence: last) }

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    follower.onEvent = { [observed] header, bytes in observed.take(header, bytes) }
    follower.onCatchUp = { [observed] epoch, after in observed.ask(epoch, after) }
    reset()
  }

  mutating func run(steps: Int) {
    for _ in 0..<steps { step() }
    // From here on, the test drops no more events. All events in transit arrive, and then one
    // beacon arrives each second.
    while !underWay.isEmpty { arrive() }
    for _ in 0..<3 {
      answer()
      observe()
    }
  }

  private mutating func step() {
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<45: publish()
    case 45..<80: if !underWay.isEmpty { arrive() }
    case 80..<88: answer()
    case 88..<94: observe()
    case 94..<96: fail()
    case 96..<98: oldestKept = min(last + 1, oldestKept + 20)
    case 98: restart()
    default: follower.catchUp()
    }
  }

  private mutating func publish() {
    last += 1
    let header = V1.EventHeader(epoch: epoch, sequence: last)
    let copies = [0, 1, 1, 1, 1, 2].randomElement(using: &generator) ?? 1
    for _ in 0..<copies { underWay.append(header) }
  }

  /// Delivers an event: mostly the oldest event, as a socket does, and sometimes a later event.
  private mutating func arrive() {
    let reach = Int.random(in: 0..<8, using: &generator) == 0 ? underWay.count : 1
    let header = underWay.remove(at: Int.random(in: 0..<reach, using: &generator))
    follower.arrive(header, body(header.epoch, header.sequence))
  }

  /// Answers an open request with the missing events, or with a snapshot if the stream no longer
  /// keeps the events.
  private mutating func answer() {
    guard let (epoch, after) = observed.question.take() else { return }
    guard epoch == self.epoch, after + 1 >= oldestKept, after <= last else { return reset() }
    follower.caughtUp(
      with: after < last ? ((after + 1)...last).map { event($0, epoch: epoch) } : [])
  }

  private mutating func fail() {
    if observed.question.take() != nil { follower.catchUpFailed() }
  }

  private func reset() {
    observed.position = ownerPosition
    follower.reset(epoch: epoch, sequence: last)
  }

  private func observe() {
    follower.observe(V1.MeetingPosition(epoch: epoch, lastSequence: last))
  }

  private mutating func restart() {
    epoch += 1
    last = 0
    oldestKept = 1
  }

  final class Observed {
    var position = StreamCursor(epoch: 0, sequence: 0)
    var question: (epoch: UInt64, after: UInt64)?
    private(set) var delivered = 0
    private(set) var mistakes: [String] = []

    func take(_ header: V1.EventHeader, _ bytes: [UInt8]) {
      delivered += 1
      if bytes != body(header.epoch, header.sequence) {
        mistakes.append("\(header.epoch)/\(header.sequence) has another's body")
      }
      if position.arrive(epoch: header.epoch, sequence: header.sequence) != .take {
        mistakes.append("\(header.epoch)/\(header.sequence) after \(position)")
      }
    }

    func ask(_ epoch: UInt64, _ after: UInt64) {
      if question != nil { mistakes.append("asked while it was asking") }
      if StreamCursor(epoch: epoch, sequence: after) != position {
        mistakes.append("asked for \(epoch)/\(after) at \(position)")
      }
      question = (epoch, after)
    }
  }
}
