import Bus
import Logging
import MeetingModel
import ServiceHost
import Storage
import Wire
import ZeroMQ

/// The state that the components of a gateway share.
///
/// Only the gateway's socket thread uses this object.
final class GatewayContext {
  let settings: GatewaySettings
  let store: MeetingStore
  let metrics: GatewayMetrics
  let logger: Logger
  let thread: SocketThread

  /// The ZeroMQ context for the sockets of the links to services.
  let sockets: ZMQContext

  /// A random number for each run. Services detect a restart of the gateway by a new number.
  let run: UInt64 = .random(in: 1 ... .max)

  /// The time at which this run of the gateway began to serve clients.
  let openedAt = ContinuousClock.now

  var sessions = SessionTable()

  /// The number of `Start` requests that wait for the store or for a turn of ``AdmissionQueue``.
  var admissions = 0

  /// The operators' decisions about attendees. The records of sessions contain copies of these
  /// decisions.
  private(set) lazy var decisions = OperatorAttendeeDecisions(self)

  /// The coordinator. Components use the coordinator to call components that the gateway creates
  /// later.
  unowned let coordinator: any GatewayCoordinator

  init(
    settings: GatewaySettings, store: MeetingStore, metrics: GatewayMetrics, logger: Logger,
    thread: SocketThread, sockets: ZMQContext, coordinator: any GatewayCoordinator
  ) {
    (self.settings, self.store, self.metrics) = (settings, store, metrics)
    (self.logger, self.thread, self.sockets) = (logger, thread, sockets)
    self.coordinator = coordinator
  }

  /// The time at which this turn of the event loop began.
  var now: ContinuousClock.Instant { thread.now }

  /// Runs a closure on the socket thread after a delay.
  func after(_ delay: Duration, _ body: @escaping () -> Void) {
    _ = thread.schedule(after: delay, body)
  }

  /// Records that an owner has rejected an announced session.
  ///
  /// The session continues without this service, because the owner would reject another
  /// announcement, too.
  func note(_ refusal: V1.RefusedSession, by service: ServiceID) {
    let meeting = SessionID(bytes: refusal.sessionID).flatMap { sessions[$0]?.meeting }
    note(
      refusal.status, refusing: "a session of meeting \(meeting?.text ?? "unknown")", by: service)
  }

  /// Counts the rejection of an announcement, and logs the reason for the operator.
  func note(_ status: V1.Status?, refusing what: String, by service: ServiceID) {
    metrics.refusedAnnouncements.increment()
    logger.warning(
      "A service rejected \(what)",
      metadata: [
        LogMetadataKey.service: "\(service)", LogMetadataKey.status: "\(status?.message ?? "")",
      ])
  }

  /// The retry policy of a call that waits for an owner. The retries end after the join timeout.
  var callRetry: Retry { Retry(until: now + settings.joinTimeout) }
}

/// The party that ended a session permanently.
///
/// The party determines which services the gateway notifies.
enum SessionEndInitiator: Sendable {
  /// The client requested the end of the session.
  case byClient
  /// The gateway ended the session because the client broke a rule.
  ///
  /// The other attendees see the attendee as dropped.
  case cutOff
  /// `presence` ended the session, so the gateway need not notify `presence`.
  case byPresence
  /// The meeting ended. The end of a meeting also ends its sessions in every service.
  case withMeeting
}
