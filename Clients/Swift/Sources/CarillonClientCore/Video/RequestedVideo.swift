/// The application's video requests in one session. The session reports the requests to the server,
/// and reports the requests again after a lost connection.
struct RequestedVideo: Hashable, Sendable {
  /// The last pause or resume of a tile.
  struct Pause: Hashable, Sendable {
    var isPaused: Bool
    /// The number of the request. Numbers ascend, so that the session also reports a repeated
    /// request.
    var number: Int
  }

  var published: VideoDeclaration?
  var isReceiving = false

  /// The requested video of each attendee, by attendee id; `nil` leaves the choice to the server.
  var subscriptions: [String: RemoteVideoRequest]?

  /// The last pause or resume of each tile, by tile id.
  var pauses: [Int: Pause] = [:]

  private var lastPause = 0

  /// Applies a change to the requests.
  mutating func apply(_ wish: VideoRequestChange) {
    switch wish {
    case .publish(let declaration):
      published = declaration
    case .unpublish:
      published = nil
    case .receive(let isReceiving):
      self.isReceiving = isReceiving
    case .subscribe(let addedOrUpdated, let removed):
      subscriptions = (subscriptions ?? [:]).merging(addedOrUpdated) { $1 }
      for attendeeId in removed { subscriptions?[attendeeId] = nil }
    case .pause(let tileId, let isPaused):
      lastPause += 1
      pauses[tileId] = Pause(isPaused: isPaused, number: lastPause)
    }
  }

  var pausedTiles: [Int] { pauses.filter(\.value.isPaused).keys.sorted() }

  /// Removes the requests for sources that became unavailable, because a later source of the same
  /// attendee is a new source.
  mutating func forgetSources(of attendeeIds: [String]) {
    for attendeeId in attendeeIds { subscriptions?[attendeeId] = nil }
  }

  mutating func forgetTile(_ tileId: Int) { pauses[tileId] = nil }
}
