import MeetingModel

/// What is on its way between gateways and owners.
///
/// Between two parties things arrive in order; a seed decides which pair is next. Events travel
/// apart from calls, so that each may overtake the other. What was on its way to or from a party
/// that is killed is lost.
final class Network {
  enum Party: Hashable {
    case gateway(GatewayName)
    case presence(Int)
    case tiles
    case media
    case store
  }

  private struct Lane {
    let from: Party
    let to: Party
    let isEvents: Bool
    var waiting: [() -> Void] = []
  }

  private struct Pending {
    let number: UInt64
    let from: Party
    let to: Party
    let then: (Status?) -> Void
    let until: ContinuousClock.Instant
    var isTimedOut = false
  }

  private var lanes: [Lane] = []
  private var pending: [Pending] = []
  private var lastNumber: UInt64 = 0
  private var now: ContinuousClock.Instant

  /// How long a caller waits.
  private static let patience = Duration.seconds(2)

  init(at now: ContinuousClock.Instant) { self.now = now }

  static let away = Status(.unavailable, "Nobody answers.")

  /// The lanes on which something waits.
  var busy: [Int] { lanes.indices.filter { !lanes[$0].waiting.isEmpty } }

  /// The calls that have neither been answered nor timed out.
  var unanswered: [Int] { pending.indices.filter { !pending[$0].isTimedOut } }

  /// - Parameters:
  ///   - work: Done by the other party when the call arrives; it answers now or later.
  ///   - then: Hears the answer; before it perhaps, once, that there was none in time.
  func call(
    _ from: Party, _ to: Party, _ work: @escaping (_ reply: @escaping (Status?) -> Void) -> Void,
    then: @escaping (Status?) -> Void
  ) {
    lastNumber += 1
    let number = lastNumber
    pending.append(
      Pending(number: number, from: from, to: to, then: then, until: now + Self.patience))
    send(from, to) { [unowned self] in
      work { [unowned self] status in
        send(to, from) { [unowned self] in answer(number, status) }
      }
    }
  }

  func send(_ from: Party, _ to: Party, isEvent: Bool = false, _ body: @escaping () -> Void) {
    let known = lanes.firstIndex { $0.from == from && $0.to == to && $0.isEvents == isEvent }
    let index = known ?? lanes.count
    if known == nil { lanes.append(Lane(from: from, to: to, isEvents: isEvent)) }
    lanes[index].waiting.append(body)
  }

  /// The first thing on a lane arrives.
  func deliver(_ lane: Int) { lanes[lane].waiting.removeFirst()() }

  /// An event is lost, as slow subscribers lose them.
  func loseEvent(_ lane: Int) {
    if lanes[lane].isEvents { lanes[lane].waiting.removeFirst() }
  }

  /// The caller has waited long enough; the call may still arrive, and so may its answer.
  func timeOut(_ index: Int) {
    pending[index].isTimedOut = true
    pending[index].then(Self.away)
  }

  /// Who has waited long enough is told so.
  func pass(to now: ContinuousClock.Instant) {
    self.now = now
    for number in pending.filter({ !$0.isTimedOut && $0.until <= now }).map(\.number) {
      if let index = pending.firstIndex(where: { $0.number == number }) { timeOut(index) }
    }
  }

  /// A party was killed.
  func cut(_ party: Party) {
    for index in lanes.indices where lanes[index].from == party || lanes[index].to == party {
      lanes[index].waiting = []
    }
    let lost = pending.filter { $0.to == party && !$0.isTimedOut }
    pending.removeAll { $0.to == party || $0.from == party }
    for call in lost { call.then(Self.away) }
  }

  private func answer(_ number: UInt64, _ status: Status?) {
    guard let index = pending.firstIndex(where: { $0.number == number }) else { return }
    pending.remove(at: index).then(status)
  }
}
