import MeetingModel

/// Which sessions are opened now, which wait for their turn, and who is told to come back later.
///
/// Services take a few hundred sessions in at once as quickly as they take in one after the other.
/// With thousands at once every answer comes late, and clients that give up and ask again make it
/// worse. So a bounded number is opened at once; some more wait in the order in which they came;
/// the others hear when to come again, each at a moment of its own, so that they do not come back
/// together.
///
/// Whoever gets a turn gives it back, by ``end(_:at:)``, when its session has begun or will not.
struct AdmissionQueue {
  /// One who asked for a turn.
  struct Ticket: Hashable {
    fileprivate let value: UInt64
  }

  /// What becomes of one who asks.
  enum Verdict: Hashable {
    /// It is its turn.
    case turn
    /// It is told by ``end(_:at:)``, ``leave(_:at:)`` or ``overdue(at:)``.
    case wait
    /// Too many wait: it may ask again after this time.
    case comeBack(after: Duration)
  }

  /// Turns and places that a gateway has.
  struct Limits: Sendable {
    /// Sessions that are opened at once.
    var turns = 256

    /// Who may wait besides.
    var waiting = 4_096

    /// The longest that anybody is to wait: clients give one attempt 5 s and more.
    var longestWait = Duration.seconds(2)
  }

  private let limits: Limits
  private var lastTicket: UInt64 = 0
  private var turns: Set<Ticket> = []
  private var waiting: [Ticket: ContinuousClock.Instant] = [:]

  /// Tickets in the order in which they came; those that left are skipped.
  private var order: [Ticket] = []
  private var first = 0

  /// What lies between two turns that end while others wait, smoothed.
  private var interval = Duration.milliseconds(2)
  private var lastEnd: ContinuousClock.Instant?

  init(_ limits: Limits = Limits()) { self.limits = limits }

  /// How many wait.
  var waitingCount: Int { waiting.count }

  /// How many have a turn.
  var turnCount: Int { turns.count }

  /// Somebody asks for a turn.
  ///
  /// - Parameter spread: From 0 to 1, at random; it decides when who is sent away comes back.
  mutating func ask(
    at now: ContinuousClock.Instant, spread: Double
  ) -> (ticket: Ticket, verdict: Verdict) {
    lastTicket += 1
    let ticket = Ticket(value: lastTicket)
    guard turns.count >= limits.turns || !waiting.isEmpty else {
      turns.insert(ticket)
      lastEnd = nil
      return (ticket, .turn)
    }
    let wait = interval * (waiting.count + 1)
    guard waiting.count < limits.waiting, wait <= limits.longestWait else {
      return (ticket, .comeBack(after: pause(for: wait, spread)))
    }
    waiting[ticket] = now
    order.append(ticket)
    return (ticket, .wait)
  }

  /// From a half to one and a half times as long as the queue will take, 500 ms to 5 s at most.
  private func pause(for wait: Duration, _ spread: Double) -> Duration {
    let middle = min(max(wait, .milliseconds(500)), .seconds(5))
    return min(middle * (0.5 + spread), .seconds(5))
  }

  /// When somebody who has waited in vain may ask again.
  func pause(spread: Double) -> Duration {
    pause(for: interval * (waiting.count + 1), spread)
  }

  /// A session has begun, or will not. Nothing happens if the ticket has no turn any more.
  ///
  /// - Returns: Whose turn it is now.
  mutating func end(_ ticket: Ticket, at now: ContinuousClock.Instant) -> [Ticket] {
    guard turns.remove(ticket) != nil else { return [] }
    if !waiting.isEmpty {
      if let lastEnd { interval = (interval * 7 + (now - lastEnd)) / 8 }
      lastEnd = now
    }
    return callNext()
  }

  /// Somebody does not want a turn any more, whether it has one or waits.
  mutating func leave(_ ticket: Ticket, at now: ContinuousClock.Instant) -> [Ticket] {
    guard waiting.removeValue(forKey: ticket) == nil else { return [] }
    return end(ticket, at: now)
  }

  /// Those who have waited longer than anybody should, because turns do not end. They wait no more.
  mutating func overdue(at now: ContinuousClock.Instant) -> [Ticket] {
    var late: [Ticket] = []
    while first < order.count {
      let ticket = order[first]
      if let since = waiting[ticket] {
        guard now - since > limits.longestWait * 2 else { break }
        waiting[ticket] = nil
        late.append(ticket)
      }
      first += 1
    }
    compact()
    return late
  }

  private mutating func callNext() -> [Ticket] {
    var called: [Ticket] = []
    while turns.count < limits.turns, first < order.count {
      let ticket = order[first]
      first += 1
      guard waiting.removeValue(forKey: ticket) != nil else { continue }
      turns.insert(ticket)
      called.append(ticket)
    }
    compact()
    return called
  }

  private mutating func compact() {
    guard first > 64, first * 2 > order.count else { return }
    order.removeFirst(first)
    first = 0
  }
}
