import Bus
import MeetingModel
import Wire

/// The calls and callbacks that differ between the services whose owners a gateway follows.
///
/// ``OwnerFollower`` does what they have in common.
protocol FollowedService: StreamHubHandler {
  /// The type of the client that calls the service.
  associatedtype Client

  static var id: ServiceID { get }

  /// The error that callers receive while no owner answers.
  static var away: Status { get }

  /// Returns the topic of a meeting's events.
  static func topic(of meeting: MeetingID) -> Topic

  /// The numbered stream whose positions clients receive; `nil` if all events are volatile.
  static var stream: MeetingStream? { get }

  static func client(over channel: RequestChannel) -> Client

  /// Requests the limits that the service sets.
  ///
  /// - Parameter term: The highest term seen of the instance, or 0 to omit it.
  func askLimits(
    _ client: Client, in term: UInt64, then: @escaping (Result<V1.Limits, Status>) -> Void)

  /// Sends an instance this gateway's heartbeat, with the highest term seen of it.
  ///
  /// A service that takes no heartbeats is asked for its limits in that term instead.
  func sayAlive(
    _ client: Client, _ request: V1.GatewayAliveRequest,
    then: @escaping (Result<V1.GatewayAliveReply, Status>) -> Void)

  /// Requests the events after a position.
  func askMissed(
    of meeting: MeetingID, after cursor: StreamCursor, _ client: Client,
    then: @escaping (Result<CatchUp, Status>) -> Void)

  /// Announces to an owner with a new term all it must know of this gateway's sessions.
  func announce(to link: ServiceLink<Client>) async throws(Status)

  /// Called when the owner does not know a meeting that has sessions here.
  func ownerForgot(_ meeting: MeetingID)

  /// Called when no live gateway has a session in a meeting after its last event, whether the
  /// meeting is followed here or not.
  func isUnattended(_ meeting: MeetingID, at cursor: StreamCursor)

  /// Called when an instance has lost everything announced to it: it has a new term, or says so.
  func ownerForgotAll(_ instance: String)

  /// Called when this gateway stops following a meeting.
  func forget(_ meeting: MeetingID)
}

extension FollowedService {
  func sayAlive(
    _ client: Client, _ request: V1.GatewayAliveRequest,
    then: @escaping (Result<V1.GatewayAliveReply, Status>) -> Void
  ) {
    askLimits(client, in: request.highestTerm) { _ in }
  }

  func askMissed(
    of meeting: MeetingID, after cursor: StreamCursor, _ client: Client,
    then: @escaping (Result<CatchUp, Status>) -> Void
  ) { then(.failure(Status(.unimplemented, "The service numbers no events."))) }

  func ownerForgot(_ meeting: MeetingID) {}

  func isUnattended(_ meeting: MeetingID, at cursor: StreamCursor) {}

  func ownerForgotAll(_ instance: String) {}

  func forget(_ meeting: MeetingID) {}
}
