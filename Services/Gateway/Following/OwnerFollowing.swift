import Bus
import MeetingModel
import Wire

/// A follower of any service, as the coordinator drives it.
protocol OwnerFollowing: AnyObject {
  var id: ServiceID { get }

  /// The numbered stream that clients are told of; `nil` where all events are volatile.
  var stream: MeetingStream? { get }

  /// Whether some instance is there.
  var isHeard: Bool { get }

  /// Why some instance cannot be reached; `nil` while all can that are there.
  var refusal: Status? { get }

  /// The limits that the service last named.
  var limits: V1.Limits? { get }

  /// Takes in which instances live; announces the meetings that moved.
  func refresh(with live: [RegisteredInstance]) throws

  /// Says that the gateway lives, and looks who is silent. Due every half second.
  func tick()

  /// Tells an instance who is here, and then asks for what was missed.
  ///
  /// - Throws: Why that was not possible; it is begun again.
  func announce(to instance: String) async throws(Status)

  /// The stream of a meeting, followed from now on.
  func hub(of meeting: MeetingID) -> StreamHub

  /// The stream of a meeting that is followed.
  func knownHub(of meeting: MeetingID) -> StreamHub?

  /// Follows a meeting no more if no session here needs it.
  func forgetIfUnused(_ meeting: MeetingID)

  /// Tells nobody anything any more, and closes the sockets.
  func close()
}
