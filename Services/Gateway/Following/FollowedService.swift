import Bus
import MeetingModel
import Wire

/// What is particular to one service among those whose owners a gateway follows.
///
/// What they have in common is done by ``OwnerFollower``.
protocol FollowedService: AnyObject {
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
  func askLimits(_ client: Client, then: @escaping (Result<V1.Limits, Status>) -> Void)

  /// Says that this gateway lives, for a service that wants to hear it.
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

  /// An instance knows nothing any more of what it was told here: it is new, or says so.
  func ownerForgotAll(_ instance: String)

  /// A meeting is followed from now on: readies its hub.
  func prepare(_ hub: StreamHub)

  /// A meeting is followed no more.
  func forget(_ meeting: MeetingID)
}

extension FollowedService {
  func sayAlive(
    _ client: Client, _ request: V1.GatewayAliveRequest,
    then: @escaping (Result<V1.GatewayAliveReply, Status>) -> Void
  ) {}

  func askMissed(
    of meeting: MeetingID, after cursor: StreamCursor, _ client: Client,
    then: @escaping (Result<CatchUp, Status>) -> Void
  ) { then(.failure(Status(.unimplemented, "The service numbers no events."))) }

  func ownerForgot(_ meeting: MeetingID) {}

  func ownerForgotAll(_ instance: String) {}

  func prepare(_ hub: StreamHub) {}

  func forget(_ meeting: MeetingID) {}
}
