import MeetingModel

/// Decides which sessions open now, which wait for a turn, and which clients must retry later.
///
/// Services admit a few hundred sessions at once as fast as one after the other. With thousands at
/// once every answer is late, and clients that time out and retry add to the load. So a bounded
/// number opens at once, and a bounded number waits in order of arrival. The other clients each get
/// a different time for their retry, so that they do not return together.
///
/// The holder of a turn returns it with ``end(_:at:)`` when its session has begun or has failed.
struct AdmissionQueue {
  /// A request for a turn.
  struct Ticket: Hashable {
    fileprivate let value: UInt64
  }

  /// The decision about a request for a turn.
  enum Verdict: Hashable {
    /// The session may open now.
    case turn
    /// The ticket waits.
    ///
    /// ``end(_:at:)`` or ``leave(_:at:)`` returns it when it has its turn, and ``overdue(at:)``
    /// when it has waited too long.
    case wait
    /// The queue is full, or too slow.
    ///
    /// The client may retry after this time.
    case comeBack(after: Duration)
  }

  /// The limits of a gateway's queue.
  struct Limits: Sendable {
    /// Sessions that are opened at once.
    var turns = 256

    /// Sessions that may wait for a turn.
    var waiting = 4_096

    /// The longest expected wait of a session in the queue.
    ///
    /// Clients allow at least 5 s for one attempt.
    var longestWait = Duration.seconds(2)
  }

  private let limits: Limits
  private var lastTicket: UInt64 = 0
  private var turns: Set<Ticket> = []
  private var waiting: [Ticket: ContinuousClock.Instant] = [:]

  /// Tickets in order of arrival.
  ///
  /// Tickets that left the queue are skipped.
  private var order: [Ticket] = []
  private var first = 0

  /// The smoothed time between the ends of two turns while sessions wait.
  private var interval = Duration.milliseconds(2)
  private var lastEnd: ContinuousClock.Instant?

  init(_ limits: Limits = Limits()) { self.limits = limits }

  /// The number of tickets that wait.
  var waitingCount: Int { waiting.count }

  /// The number of tickets that have a turn.
  var turnCount: Int { turns.count }

  /// Requests a turn.
  ///
  /// - Parameter spread: A random number from 0 to 1, which spreads the retries of rejected
  ///   clients.
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

  /// Returns 0.5 to 1.5 times the expected wait, which counts as 500 ms at least, but at most 5 s.
  private func pause(for wait: Duration, _ spread: Double) -> Duration {
    let middle = min(max(wait, .milliseconds(500)), .seconds(5))
    return min(middle * (0.5 + spread), .seconds(5))
  }

  /// Returns the time after which a client that waited in vain may retry.
  func pause(spread: Double) -> Duration {
    pause(for: interval * (waiting.count + 1), spread)
  }

  /// Ends a turn, because its session has begun or has failed.
  ///
  /// Does nothing if the ticket has no turn.
  ///
  /// - Returns: The tickets that have a turn now.
  mutating func end(_ ticket: Ticket, at now: ContinuousClock.Instant) -> [Ticket] {
    guard turns.remove(ticket) != nil else { return [] }
    if !waiting.isEmpty {
      if let lastEnd { interval = (interval * 7 + (now - lastEnd)) / 8 }
      lastEnd = now
    }
    return callNext()
  }

  /// Withdraws a ticket, whether it has a turn or waits.
  mutating func leave(_ ticket: Ticket, at now: ContinuousClock.Instant) -> [Ticket] {
    guard waiting.removeValue(forKey: ticket) == nil else { return [] }
    return end(ticket, at: now)
  }

  /// Removes and returns the tickets that waited more than twice the longest wait, because turns do
  /// not end.
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
