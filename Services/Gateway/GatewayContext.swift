import Bus
import Logging
import MeetingModel
import ServiceHost
import Storage
import Wire
import ZeroMQ

/// The state that the components of a gateway share.
///
/// It belongs to the gateway's socket thread.
final class GatewayContext {
  let settings: GatewaySettings
  let store: MeetingStore
  let metrics: GatewayMetrics
  let logger: Logger
  let thread: SocketThread

  /// The ZeroMQ context for the sockets of the links to services.
  let sockets: Context

  /// A random number for each run, by which services detect a restart.
  let run: UInt64 = .random(in: 1 ... .max)

  /// The time at which this run began to serve.
  let openedAt = ContinuousClock.now

  var sessions = SessionTable()

  /// The number of Starts in admission.
  ///
  /// They wait for the store or for a turn.
  var admissions = 0

  /// The operators' decisions about attendees, which the records of sessions repeat.
  private(set) lazy var decisions = OperatorDecisions(self)

  /// Calls the components that are created after this context.
  unowned let coordinator: any GatewayCoordinator

  init(
    settings: GatewaySettings, store: MeetingStore, metrics: GatewayMetrics, logger: Logger,
    thread: SocketThread, sockets: Context, coordinator: any GatewayCoordinator
  ) {
    (self.settings, self.store, self.metrics) = (settings, store, metrics)
    (self.logger, self.thread, self.sockets) = (logger, thread, sockets)
    self.coordinator = coordinator
  }

  /// The time at which this turn of the event loop began.
  var now: ContinuousClock.Instant { thread.now }

  /// Runs a closure on this thread after a delay.
  func after(_ delay: Duration, _ body: @escaping () -> Void) {
    _ = thread.schedule(after: delay, body)
  }

  /// Records that an owner rejects an announced session.
  ///
  /// Its client goes on without that service: another announcement would get the same answer.
  func note(_ refusal: V1.RefusedSession, by service: ServiceID) {
    let meeting = SessionID(bytes: refusal.sessionID).flatMap { sessions[$0]?.meeting }
    note(
      refusal.status, refusing: "a session of meeting \(meeting?.text ?? "unknown")", by: service)
  }

  /// Counts the rejection of an announcement, and logs its reason for the operator.
  func note(_ status: V1.Status?, refusing what: String, by service: ServiceID) {
    metrics.refusedAnnouncements.increment()
    logger.warning(
      "A service refused a report of \(what)",
      metadata: [LogKey.service: "\(service)", LogKey.status: "\(status?.message ?? "")"])
  }

  /// The retry policy of a call that waits for an owner: until the join timeout.
  var callRetry: Retry { Retry(until: now + settings.joinTimeout) }
}

/// The party that ended a session for good.
///
/// It decides which services are notified.
enum SessionEnding: Sendable {
  /// The client asked for it.
  case byClient
  /// This gateway, because the client broke a rule.
  ///
  /// The others see that it dropped.
  case cutOff
  /// Presence, which needs no notice.
  case byPresence
  /// The end of the meeting, which also ends the session's state in every service.
  case withMeeting
}
