import Wire

/// The pictures that one browser receives and sends, according to the last negotiation.
///
/// All methods run on the gateway's socket thread.
final class BrowserVideoState {
  /// The received pictures.
  ///
  /// When a received picture loses its section, the gateway forgets the user's pause of this
  /// picture.
  var reception = BrowserVideoSubscription() {
    didSet { paused.formIntersection(reception.tileIDs) }
  }

  /// The received tiles that the user has paused.
  private(set) var paused: Set<UInt32> = []

  /// The received tiles that the browser shows as paused for lack of bandwidth.
  private var starved: Set<UInt32> = []

  /// Whether a change of the received pictures still waits for acceptance by `video-tiles`.
  var isBehind = false

  /// Whether a call to `video-tiles` is in progress.
  var isSubscribing = false

  /// The codecs that the browser decodes; empty before the first answer.
  var decodableCodecs: [V1.VideoCodec] = []

  /// The sent pictures; `nil` before the first SUBSCRIBE.
  var publication: BrowserPublication?

  /// The instance of `media` that answered the browser's offer; `nil` before the first answer.
  var place: MediaInstanceRun?

  /// Whether the client is the public C++ client. For this client, the gateway does not keep the
  /// sections of earlier pictures, because the client itself assigns pictures to sections.
  var isNative = false

  /// Returns the encoding with the given number; `nil` if no other attendee sends this encoding.
  let stream: (UInt32) -> NumberedVideoEncoding?

  init(stream: @escaping (UInt32) -> NumberedVideoEncoding?) { self.stream = stream }

  /// Pauses or resumes pictures on request of the user. Ignores pictures that the browser does not
  /// receive.
  func setPaused(_ isPaused: Bool, _ streamIDs: [UInt32]) {
    let named = Set(streamIDs.filter { $0 != 0 }.map(NumberedVideoEncoding.tileID(of:)))
    let tiles = named.intersection(reception.tileIDs)
    if isPaused { paused.formUnion(tiles) } else { paused.subtract(tiles) }
  }

  /// Applies the decisions of `video-tiles` about this receiver's tiles.
  ///
  /// - Returns: The received tiles that pause, and the received tiles that resume.
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
