import Bus
import MeetingModel
import Wire

/// The calls and callbacks that are specific to one of the services whose owners a gateway follows.
///
/// ``OwnerFollower`` implements the behavior that all of these services share.
protocol OwnerFollowerAdapter: EventStreamHubHandler {
  /// The type of the client that calls the service.
  associatedtype Client

  static var id: ServiceID { get }

  /// The error that a caller gets while no owner answers.
  static var away: Status { get }

  /// Returns the topic of a meeting's events.
  static func topic(of meeting: MeetingID) -> EventTopic

  /// The numbered stream of the service, whose positions clients receive; `nil` if all events are
  /// volatile.
  static var stream: MeetingStream? { get }

  static func client(over channel: RequestChannel) -> Client

  /// Requests the service's limits.
  ///
  /// - Parameter term: The highest term that the gateway has received from the instance; 0 for a
  ///   request without a term.
  func askLimits(
    _ client: Client, in term: UInt64, then: @escaping (Result<V1.Limits, Status>) -> Void)

  /// Sends this gateway's heartbeat to an instance. The heartbeat contains the highest term that
  /// the gateway has received from this instance.
  ///
  /// The default implementation is for services that accept no heartbeats: the implementation only
  /// requests the service's limits. This request also contains the highest term.
  func sayAlive(
    _ client: Client, _ request: V1.GatewayAliveRequest,
    then: @escaping (Result<V1.GatewayAliveReply, Status>) -> Void)

  /// Requests the events after a position.
  func askMissed(
    of meeting: MeetingID, after cursor: StreamCursor, _ client: Client,
    then: @escaping (Result<MissedEventsReply, Status>) -> Void)

  /// Announces this gateway's sessions to an owner, for example after the owner has begun a new
  /// term.
  func announce(to link: ServiceLink<Client>) async throws(Status)

  /// Called when the owner does not know a meeting that has sessions at this gateway.
  func ownerForgot(_ meeting: MeetingID)

  /// Called when no live gateway has had a session in a meeting since the meeting's last event. The
  /// call can also concern a meeting that this gateway does not follow.
  func isUnattended(_ meeting: MeetingID, at cursor: StreamCursor)

  /// Called when an instance has lost all announced sessions: its term is new, or its answer to a
  /// heartbeat requests a new announcement.
  func ownerForgotAll(_ instance: String)

  /// Called when this gateway stops following a meeting.
  func forget(_ meeting: MeetingID)
}

extension OwnerFollowerAdapter {
  func sayAlive(
    _ client: Client, _ request: V1.GatewayAliveRequest,
    then: @escaping (Result<V1.GatewayAliveReply, Status>) -> Void
  ) {
    askLimits(client, in: request.highestTerm) { _ in }
  }

  func askMissed(
    of meeting: MeetingID, after cursor: StreamCursor, _ client: Client,
    then: @escaping (Result<MissedEventsReply, Status>) -> Void
  ) {
    then(
      .failure(
        Status(.unimplemented, "The service keeps no numbered events, so nothing can be replayed."))
    )
  }

  func ownerForgot(_ meeting: MeetingID) {}

  func isUnattended(_ meeting: MeetingID, at cursor: StreamCursor) {}

  func ownerForgotAll(_ instance: String) {}

  func forget(_ meeting: MeetingID) {}
}
