import Wire

/// The pictures that one browser gets and sends, as it was told last.
///
/// Lives on the gateway's socket thread.
final class BrowserPictures {
  /// What it gets. A pause ends with the section of its picture.
  var reception = BrowserReception() {
    didSet { paused.formIntersection(reception.tileIDs) }
  }

  /// The tiles that it gets and its user has paused.
  private(set) var paused: Set<UInt32> = []

  /// The groups that the browser was told are paused for want of bandwidth.
  private var starved: Set<UInt32> = []

  /// Video-tiles has not heard of all that it gets.
  var isBehind = false

  /// A call to video-tiles is under way.
  var isSubscribing = false

  /// What it sends; `nil` before its first SUBSCRIBE.
  var publication: BrowserPublication?

  /// Where media has answered its offer; `nil` while it has answered none.
  var place: MediaPlace?

  /// The client is the public one in C++, which assigns sections by itself.
  var isNative = false

  /// Returns an encoding of somebody else; `nil` where there is none of this number.
  let stream: (UInt32) -> PictureStream?

  init(stream: @escaping (UInt32) -> PictureStream?) { self.stream = stream }

  /// The user pauses pictures, or resumes them. Those that are not received are passed over.
  func setPaused(_ isPaused: Bool, _ streamIDs: [UInt32]) {
    let named = Set(streamIDs.filter { $0 != 0 }.map(PictureStream.tileID(of:)))
    let tiles = named.intersection(reception.tileIDs)
    if isPaused { paused.formUnion(tiles) } else { paused.subtract(tiles) }
  }

  /// Takes what video-tiles decided of this receiver's tiles.
  ///
  /// - Returns: The groups that stop and those that move again, among those that the browser
  ///   receives.
  func take(_ tiles: [V1.TileState]) -> (paused: [UInt32], resumed: [UInt32]) {
    guard !tiles.isEmpty else { return ([], []) }
    let before = starved
    for tile in tiles {
      switch tile.pauseState {
      case _ where tile.isRemoved: starved.remove(tile.tileID)
      case .pausedForPoorConnection: starved.insert(tile.tileID)
      case .unpaused: starved.remove(tile.tileID)
      case .pausedByUserRequest, .unspecified, .unrecognized: break
      }
    }
    let received = reception.tileIDs
    starved.formIntersection(received)
    return (
      starved.subtracting(before).sorted(),
      before.subtracting(starved).intersection(received).sorted()
    )
  }
}
