/// All that the application wants of video in one session: what the server is to know, and is told
/// again after a lost connection.
struct RequestedVideo: Hashable, Sendable {
  /// The last word about a tile.
  struct Pause: Hashable, Sendable {
    var isPaused: Bool
    /// It rises with each word, so that a repeated one is told too.
    var number: Int
  }

  var published: VideoDeclaration?
  var isReceiving = false

  /// What is wanted of each attendee, by attendee id; `nil` leaves the choice to the server.
  var subscriptions: [String: VideoDemand]?

  /// Which tiles are paused, by tile id.
  var pauses: [Int: Pause] = [:]

  private var lastPause = 0

  /// Takes a change, and whatever was wanted before with it.
  mutating func apply(_ wish: VideoChange) {
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

  /// Attendees offer no video any more: it would be another one when they do again.
  mutating func forgetSources(of attendeeIds: [String]) {
    for attendeeId in attendeeIds { subscriptions?[attendeeId] = nil }
  }

  mutating func forgetTile(_ tileId: Int) { pauses[tileId] = nil }
}
