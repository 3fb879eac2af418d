import AudienceModel
import MeetingModel
import OwnerTestSupport

/// The owners of a simulated installation, what is on its way between them and gateways, and the
/// store.
final class Installation {
  static let primary = MeetingID.planning
  static let replicas = [MeetingID.audience, .overflow]

  let network: Network
  let presences: [SimulatedPresence]
  let tiles: SimulatedTiles
  let media: SimulatedMedia
  private(set) var now = ContinuousClock.now

  /// Which instance of presence owns a meeting.
  let placement: [MeetingID: Int]

  private var lastStamp: UInt64 = 1_000

  // What the store says.
  var deleted: Set<AudienceModel.Member> = []
  var ended: Set<MeetingID> = []

  /// What was broken so far.
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

  /// The time of day, as gateways note it; never the same.
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
