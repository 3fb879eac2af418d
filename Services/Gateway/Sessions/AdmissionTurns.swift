import MeetingModel
import ServiceHost

/// Gives the tasks that open sessions their turns, as ``AdmissionQueue`` decides.
///
/// Lives on the gateway's socket thread.
final class AdmissionTurns {
  private let context: GatewayContext
  private var queue: AdmissionQueue
  private var waiting: [AdmissionQueue.Ticket: CheckedContinuation<Answer, Never>] = [:]
  private var isLooking = false

  /// What one who waits is told.
  private enum Answer {
    case turn
    case comeBack
  }

  /// How often it is looked who has waited too long.
  private static let interval = Duration.milliseconds(250)

  init(in context: GatewayContext, limits: AdmissionQueue.Limits = AdmissionQueue.Limits()) {
    self.context = context
    queue = AdmissionQueue(limits)
  }

  /// How many wait.
  var waitingCount: Int { queue.waitingCount }

  /// A turn to open a session. The caller gives it back by ``end(_:)``, whatever becomes of it.
  ///
  /// - Returns: The turn, and whether time has passed that may have changed the meeting.
  /// - Throws: `unavailable`, `overloaded` with the time after which the client may come back,
  ///   when too many wait or the turn does not come in time.
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

  /// A session has begun or will not: the turn is the next one's.
  func end(_ turn: AdmissionQueue.Ticket) { call(queue.end(turn, at: context.now)) }

  /// Nobody gets a turn any more: whoever waits is told to come back, elsewhere.
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
      .unavailable, "Too many join at once; come back later.", reason: .overloaded,
      retryAfter: pause)
  }
}
