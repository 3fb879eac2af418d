import Bus
import MeetingModel
import Wire

/// What is particular to one service among those whose owners a gateway follows.
///
/// What they have in common is done by ``OwnerFollower``.
protocol FollowedService: StreamHubHandler {
  /// Calls the service.
  associatedtype Client

  static var id: ServiceID { get }

  /// What callers are told while no owner answers.
  static var away: Status { get }

  /// The topic of a meeting's events.
  static func topic(of meeting: MeetingID) -> Topic

  /// The numbered stream that clients are told of; `nil` where all events are volatile.
  static var stream: MeetingStream? { get }

  static func client(over channel: RequestChannel) -> Client

  /// Asks for the service's part of the limits.
  ///
  /// - Parameter term: The highest term heard of the instance, or 0 to leave it out.
  func askLimits(
    _ client: Client, in term: UInt64, then: @escaping (Result<V1.Limits, Status>) -> Void)

  /// Tells an instance that this gateway lives, and the highest term heard of it. A service that
  /// need not hear of gateways is asked for its limits in that term.
  func sayAlive(
    _ client: Client, _ request: V1.GatewayAliveRequest,
    then: @escaping (Result<V1.GatewayAliveReply, Status>) -> Void)

  /// Asks what follows a position.
  func askMissed(
    of meeting: MeetingID, after cursor: StreamCursor, _ client: Client,
    then: @escaping (Result<CatchUp, Status>) -> Void)

  /// Tells an owner with a new term all that it must know of this gateway's sessions.
  func announce(to link: ServiceLink<Client>) async throws(Status)

  /// The owner does not know a meeting that has sessions here.
  func ownerForgot(_ meeting: MeetingID)

  /// No live gateway has anybody in a meeting after its last event, whether it is followed or not.
  func isUnattended(_ meeting: MeetingID, at cursor: StreamCursor)

  /// An instance knows nothing any more of what it was told here: it is new, or says so.
  func ownerForgotAll(_ instance: String)

  /// A meeting is followed no more.
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
