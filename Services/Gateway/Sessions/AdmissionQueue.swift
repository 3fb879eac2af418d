import MeetingModel

/// Decides which sessions open immediately, which sessions wait for a turn, and which sessions the
/// gateway refuses. A refused client gets the time for its retry.
///
/// If thousands of sessions opened at the same time, all answers would be late, and clients that
/// time out and retry would add to the load. So the queue lets a bounded number of sessions open at
/// the same time. A bounded number of further sessions wait in order of arrival. Each of the other
/// clients gets a different time for its retry, so that the clients do not return together.
///
/// When a session has begun or failed, the holder of the session's turn calls ``end(_:at:)``.
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
    /// When the ticket gets its turn, ``end(_:at:)`` or ``leave(_:at:)`` returns the ticket. When
    /// the ticket has waited too long, ``overdue(at:)`` returns the ticket.
    case wait
    /// The queue is full, or the expected wait is too long. The client may retry after this time.
    case comeBack(after: Duration)
  }

  /// The limits of a gateway's queue.
  struct Limits: Sendable {
    /// The number of sessions that the gateway opens at the same time.
    var turns = 256

    /// The number of sessions that may wait for a turn.
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

  /// The tickets in order of arrival.
  ///
  /// The queue skips tickets that are no longer in ``waiting``.
  private var order: [Ticket] = []
  private var first = 0

  /// The smoothed time between the ends of two successive turns, measured while sessions wait.
  private var interval = Duration.milliseconds(2)
  private var lastEnd: ContinuousClock.Instant?

  init(_ limits: Limits = Limits()) { self.limits = limits }

  /// The number of waiting tickets.
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

  /// Returns 0.5 to 1.5 times the expected wait, and at most 5 s. If the expected wait is shorter
  /// than 500 ms, the method uses 500 ms.
  private func pause(for wait: Duration, _ spread: Double) -> Duration {
    let middle = min(max(wait, .milliseconds(500)), .seconds(5))
    return min(middle * (0.5 + spread), .seconds(5))
  }

  /// Returns the time after which a client that waited too long may retry.
  func pause(spread: Double) -> Duration {
    pause(for: interval * (waiting.count + 1), spread)
  }

  /// Ends the turn of a session that has begun or failed.
  ///
  /// Does nothing if the ticket has no turn.
  ///
  /// - Returns: The tickets that get their turn now.
  mutating func end(_ ticket: Ticket, at now: ContinuousClock.Instant) -> [Ticket] {
    guard turns.remove(ticket) != nil else { return [] }
    if !waiting.isEmpty {
      if let lastEnd { interval = (interval * 7 + (now - lastEnd)) / 8 }
      lastEnd = now
    }
    return callNext()
  }

  /// Withdraws a ticket that has a turn or waits.
  mutating func leave(_ ticket: Ticket, at now: ContinuousClock.Instant) -> [Ticket] {
    guard waiting.removeValue(forKey: ticket) == nil else { return [] }
    return end(ticket, at: now)
  }

  /// Removes and returns the tickets that waited longer than twice ``Limits/longestWait``. A ticket
  /// waits for this time only if the holders of turns do not end their turns.
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
