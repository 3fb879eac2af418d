import Bus
import Logging
import MeetingModel
import ServiceHost
import Storage
import Wire
import ZeroMQ

/// What the parts of a gateway share. It lives, like them, on the gateway's socket thread.
final class GatewayContext {
  let settings: GatewaySettings
  let store: MeetingStore
  let metrics: GatewayMetrics
  let logger: Logger
  let thread: SocketThread

  /// Where the sockets of the links to services are made.
  let sockets: Context

  /// Random at each start, so that services can tell a restart.
  let run: UInt64 = .random(in: 1 ... .max)

  /// When this run began to serve.
  let openedAt = ContinuousClock.now

  var sessions = SessionTable()

  /// How many Starts wait for the store.
  var admissions = 0

  /// What operators decided of attendees, as sessions' records have it.
  private(set) lazy var decisions = OperatorDecisions(self)

  /// What the parts ask of others that are made after them.
  unowned let coordinator: any GatewayCoordinator

  init(
    settings: GatewaySettings, store: MeetingStore, metrics: GatewayMetrics, logger: Logger,
    thread: SocketThread, sockets: Context, coordinator: any GatewayCoordinator
  ) {
    (self.settings, self.store, self.metrics) = (settings, store, metrics)
    (self.logger, self.thread, self.sockets) = (logger, thread, sockets)
    self.coordinator = coordinator
  }

  /// The time of this turn of the loop.
  var now: ContinuousClock.Instant { thread.now }

  /// Does something a little later, on this thread.
  func after(_ delay: Duration, _ body: @escaping () -> Void) {
    _ = thread.schedule(after: delay, body)
  }

  /// An owner does not let in a session that was announced to it. Its client goes on without that
  /// service: telling it again would bring the same.
  func note(_ refusal: V1.RefusedSession, by service: ServiceID) {
    let meeting = SessionID(bytes: refusal.sessionID).flatMap { sessions[$0]?.meeting }
    note(
      refusal.status, refusing: "a session of meeting \(meeting?.text ?? "unknown")", by: service)
  }

  /// An owner refuses something that was announced to it: counted, and the operator reads why.
  func note(_ status: V1.Status?, refusing what: String, by service: ServiceID) {
    metrics.refusedAnnouncements.increment()
    logger.warning(
      "A service refuses what it is told of \(what)",
      metadata: [LogKey.service: "\(service)", LogKey.status: "\(status?.message ?? "")"])
  }

  /// What calls that wait for an owner are given until it answers.
  var callRetry: Retry { Retry(until: now + settings.joinTimeout) }
}

/// Who ended a session for good, and so who is told.
enum SessionEnding: Sendable {
  /// The client asked for it.
  case byClient
  /// This gateway: the client broke a rule. To the others it has dropped.
  case cutOff
  /// Presence: it knows.
  case byPresence
  /// Its meeting is over, and everything of it.
  case withMeeting
}
