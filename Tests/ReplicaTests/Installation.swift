import AudienceModel
import MeetingModel
import OwnerTestSupport

/// The owners of a simulated installation, the network between them and the gateways, and the
/// store.
final class Installation {
  static let primary = MeetingID.planning
  static let replicas = [MeetingID.audience, .overflow]

  let network: Network
  let presences: [SimulatedPresence]
  let tiles: SimulatedTiles
  let media: SimulatedMedia
  private(set) var now = ContinuousClock.now

  /// The instance of presence that owns each meeting.
  let placement: [MeetingID: Int]

  private var lastStamp: UInt64 = 1_000

  // The content of the store.
  var deleted: Set<AudienceModel.Member> = []
  var ended: Set<MeetingID> = []

  /// The rules broken so far.
  private(set) var violations: [String] = []

  init(placement: [MeetingID: Int]) {
    self.placement = placement
    network = Network(at: now)
    presences = [0, 1].map { [now] in SimulatedPresence($0, at: now) }
    tiles = SimulatedTiles(at: now)
    media = SimulatedMedia(at: now)
  }

  func presence(of meeting: MeetingID) -> SimulatedPresence {
    presences[placement[meeting, default: 0]]
  }

  /// Returns the time of day for a gateway. This function never returns the same time twice.
  func takeStamp() -> UInt64 {
    lastStamp += 1
    return lastStamp
  }

  func check(_ holds: Bool, _ promise: @autoclosure () -> String) {
    if !holds { violations.append(promise()) }
  }

  func pass(_ duration: Duration) {
    now += duration
    network.pass(to: now)
    for presence in presences { presence.advance(to: now) }
    tiles.advance(to: now)
    media.advance(to: now)
  }
}
