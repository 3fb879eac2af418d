import MeetingModel
import ServiceHost

/// Assigns turns to the tasks that open sessions. ``AdmissionQueue`` makes the decisions.
///
/// All methods run on the gateway's socket thread.
final class AdmissionTurns {
  private let context: GatewayContext
  private var queue: AdmissionQueue
  private var waiting: [AdmissionQueue.Ticket: CheckedContinuation<Answer, Never>] = [:]
  private var isLooking = false

  /// The answer to a waiting ticket.
  private enum Answer {
    case turn
    case comeBack
  }

  /// The interval between two checks for tickets that waited too long.
  private static let interval = Duration.milliseconds(250)

  init(in context: GatewayContext, limits: AdmissionQueue.Limits = AdmissionQueue.Limits()) {
    self.context = context
    queue = AdmissionQueue(limits)
  }

  /// The number of waiting tickets.
  var waitingCount: Int { queue.waitingCount }

  /// Waits for a turn to open a session.
  ///
  /// The caller must return the turn with ``end(_:)`` in every case.
  ///
  /// - Returns: The turn, and whether the call waited. After a wait, the meeting may have changed.
  /// - Throws: `unavailable` with `overloaded` and the time until a retry, if too many sessions
  ///   wait, or if the caller has waited too long.
  func next() async throws(Status) -> (turn: AdmissionQueue.Ticket, hasWaited: Bool) {
    let (ticket, verdict) = queue.ask(at: context.now, spread: .random(in: 0...1))
    switch verdict {
    case .turn:
      return (ticket, false)
    case .comeBack(let pause):
      throw Self.overloaded(pause)
    case .wait:
      context.metrics.startsWaiting.set(queue.waitingCount)
      keepLooking()
      switch await answer(to: ticket) {
      case .turn: return (ticket, true)
      case .comeBack: throw Self.overloaded(queue.pause(spread: .random(in: 0...1)))
      }
    }
  }

  private func answer(to ticket: AdmissionQueue.Ticket) async -> Answer {
    await withCheckedContinuation { waiting[ticket] = $0 }
  }

  /// Ends the turn of a session that has begun or failed.
  ///
  /// The next waiting session gets the turn.
  func end(_ turn: AdmissionQueue.Ticket) { call(queue.end(turn, at: context.now)) }

  /// Rejects all sessions that wait for a turn, so that their clients retry at another gateway.
  func close() {
    for ticket in Array(waiting.keys) {
      _ = queue.leave(ticket, at: context.now)
      tell(ticket, .comeBack)
    }
  }

  private func call(_ tickets: [AdmissionQueue.Ticket]) {
    for ticket in tickets { tell(ticket, .turn) }
  }

  private func tell(_ ticket: AdmissionQueue.Ticket, _ answer: Answer) {
    waiting.removeValue(forKey: ticket)?.resume(returning: answer)
    context.metrics.startsWaiting.set(queue.waitingCount)
  }

  private func keepLooking() {
    guard !isLooking else { return }
    isLooking = true
    context.after(Self.interval) { [unowned self] in
      isLooking = false
      for ticket in queue.overdue(at: context.now) { tell(ticket, .comeBack) }
      if queue.waitingCount > 0 { keepLooking() }
    }
  }

  private static func overloaded(_ pause: Duration) -> Status {
    Status(
      .unavailable, "Too many clients are joining at once; try again later.", reason: .overloaded,
      retryAfter: pause)
  }
}
