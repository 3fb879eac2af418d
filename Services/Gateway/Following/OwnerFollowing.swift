import Bus
import MeetingModel
import Wire

/// A follower of any service, as the coordinator sees it.
protocol OwnerFollowing: AnyObject {
  var id: ServiceID { get }

  /// The numbered stream whose positions clients receive; `nil` if all events are volatile.
  var stream: MeetingStream? { get }

  /// Whether beacons arrive from any instance of the service.
  var isHeard: Bool { get }

  /// The reason why an instance cannot be reached; `nil` if every live one can be.
  var refusal: Status? { get }

  /// The limits that the service last reported.
  var limits: V1.Limits? { get }

  /// Updates the live instances, and announces the meetings that moved.
  func refresh(with live: [RegisteredInstance]) throws

  /// Sends the gateway's heartbeat, and checks which instances are silent.
  ///
  /// Call it every half second.
  func tick()

  /// Announces this gateway's sessions to an instance, then requests the missed events.
  ///
  /// - Throws: The reason for the failure; the caller begins again.
  func announce(to instance: String) async throws(Status)

  /// Returns the hub of a meeting, and follows the meeting from now on.
  func hub(of meeting: MeetingID) -> StreamHub

  /// Returns the hub of a meeting if it is followed.
  func knownHub(of meeting: MeetingID) -> StreamHub?

  /// Stops following a meeting if no session here needs it.
  func forgetIfUnused(_ meeting: MeetingID)

  /// Drops all notices, and closes the sockets.
  func close()
}
