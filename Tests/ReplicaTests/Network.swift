import MeetingModel

/// The messages in transit between gateways and owners.
///
/// Messages between two parties arrive in order. The seed decides which pair of parties gets the
/// next message. Events and calls have separate lanes: an event may overtake a call, and a call may
/// overtake an event. When the simulation kills a party, the network drops all messages in transit
/// to this party or from this party.
final class Network {
  enum Party: Hashable {
    case gateway(GatewayName)
    case presence(Int)
    case tiles
    case media
    case store
  }

  private struct Route: Hashable {
    let from: Party
    let to: Party
    let isEvents: Bool
  }

  private struct Lane {
    let route: Route
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

  /// The lanes with waiting messages, in order. This property is stored, not computed, because each
  /// delivery reads the property.
  private(set) var busy: [Int] = []

  private var lanes: [Lane] = []
  private var places: [Route: Int] = [:]
  private var pending: [Pending] = []
  private var lastNumber: UInt64 = 0
  private var now: ContinuousClock.Instant

  /// The time after which a call times out.
  private static let patience = Duration.seconds(2)

  init(at now: ContinuousClock.Instant) { self.now = now }

  static let away = Status(.unavailable, "Nobody answers.")

  /// The calls without an answer or a timeout.
  var unanswered: [Int] { pending.indices.filter { !pending[$0].isTimedOut } }

  /// - Parameters:
  ///   - work: Runs at the other party when the call arrives. `work` answers immediately or later.
  ///   - then: Receives the answer. If the call times out, `then` receives the timeout first, and
  ///     later the answer if the answer arrives.
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
    let lane = place(of: Route(from: from, to: to, isEvents: isEvent))
    if lanes[lane].waiting.isEmpty {
      busy.insert(lane, at: busy.firstIndex { $0 > lane } ?? busy.count)
    }
    lanes[lane].waiting.append(body)
  }

  /// Delivers the first message on a lane.
  func deliver(_ lane: Int) { removeFirst(of: lane)() }

  /// Loses an event, as happens to slow subscribers.
  func loseEvent(_ lane: Int) {
    if lanes[lane].route.isEvents { _ = removeFirst(of: lane) }
  }

  private func place(of route: Route) -> Int {
    if let place = places[route] { return place }
    places[route] = lanes.count
    lanes.append(Lane(route: route))
    return lanes.count - 1
  }

  private func removeFirst(of lane: Int) -> () -> Void {
    let first = lanes[lane].waiting.removeFirst()
    if lanes[lane].waiting.isEmpty { busy.removeAll { $0 == lane } }
    return first
  }

  /// Times a call out. The call and its answer may still arrive.
  func timeOut(_ index: Int) {
    pending[index].isTimedOut = true
    pending[index].then(Self.away)
  }

  /// Advances the time, and times out the calls that have waited too long.
  func pass(to now: ContinuousClock.Instant) {
    self.now = now
    for number in pending.filter({ !$0.isTimedOut && $0.until <= now }).map(\.number) {
      if let index = pending.firstIndex(where: { $0.number == number }) { timeOut(index) }
    }
  }

  /// Kills a party.
  func cut(_ party: Party) {
    for index in busy where lanes[index].route.from == party || lanes[index].route.to == party {
      lanes[index].waiting = []
    }
    busy.removeAll { lanes[$0].waiting.isEmpty }
    let lost = pending.filter { $0.to == party && !$0.isTimedOut }
    pending.removeAll { $0.to == party || $0.from == party }
    for call in lost { call.then(Self.away) }
  }

  private func answer(_ number: UInt64, _ status: Status?) {
    guard let index = pending.firstIndex(where: { $0.number == number }) else { return }
    pending.remove(at: index).then(status)
  }
}
