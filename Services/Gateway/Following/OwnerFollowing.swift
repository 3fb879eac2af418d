import Bus
import MeetingModel
import Wire

/// The interface through which the coordinator uses the follower of any service.
protocol OwnerFollowing: AnyObject {
  var id: ServiceID { get }

  /// The numbered stream of the service, whose positions clients receive; `nil` if all events are
  /// volatile.
  var stream: MeetingStream? { get }

  /// Whether beacons arrive from at least one instance of the service.
  var isHeard: Bool { get }

  /// The reason why the gateway cannot reach an instance; `nil` if the gateway can reach every live
  /// instance.
  var refusal: Status? { get }

  /// The limits that the service last reported.
  var limits: V1.Limits? { get }

  /// Updates the list of live instances, and announces sessions to the new owners of moved
  /// meetings.
  func refresh(with live: [RegisteredInstance]) throws

  /// Sends the gateway's heartbeat, and finds silent instances.
  ///
  /// The gateway calls this method every half second.
  func tick()

  /// Announces this gateway's sessions to an instance, then requests the missed events.
  ///
  /// - Throws: The reason for the failure. The caller repeats the announcement from the beginning.
  func announce(to instance: String) async throws(Status)

  /// Returns the hub of a meeting. After this call, the gateway follows the meeting.
  func hub(of meeting: MeetingID) -> StreamHub

  /// Returns the hub of a meeting if the gateway follows the meeting.
  func knownHub(of meeting: MeetingID) -> StreamHub?

  /// Stops following a meeting if no session at this gateway needs the meeting's events.
  func forgetIfUnused(_ meeting: MeetingID)

  /// Drops all notices and closes the sockets.
  func close()
}
