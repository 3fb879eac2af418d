import RTP

/// The point that one receiver's packets of a track have reached. The next packet continues there.
struct TrackPosition: Sendable {
  /// The highest sequence number that was sent, unwrapped.
  var number: Int64

  /// The timestamp of the newest frame that was sent, and when that frame began.
  var frame: (timestamp: UInt32, at: MediaTime)?

  /// VP8's highest picture id, unwrapped, and its newest index of the base layer.
  var picture: Int64?
  var baseLayerIndex: UInt8?

  /// The packets and payload bytes sent since the beginning.
  private(set) var packets: UInt32 = 0
  private(set) var payloadBytes: UInt32 = 0

  /// Whether the receiver has stopped taking the track, or taken another layer of it.
  var wasLeft = false

  /// The values of the receiver's last report.
  var reported: (highest: UInt32, lost: Int32, senderReport: UInt32)?

  /// The beginning of a track. Its first number is not 0, so that nobody relies on that (RFC 3550,
  /// section 5.1).
  init(beginning ssrc: UInt32) {
    number = Int64((ssrc &* 2_654_435_761) >> 17)
  }

  /// Whether the receiver takes the track for the first time and has got no packet of it.
  var isUntouched: Bool { packets == 0 && !wasLeft }

  /// Counts a packet that was sent.
  mutating func count(payloadBytes bytes: Int) {
    packets &+= 1
    payloadBytes &+= UInt32(truncatingIfNeeded: bytes)
  }

  /// Records the numbers of a sent packet, which may be older than others.
  mutating func note(number: Int64, picture: Int64?, baseLayerIndex index: UInt8?) {
    self.number = max(self.number, number)
    if let picture { self.picture = max(self.picture ?? picture, picture) }
    guard let index else { return }
    if Int8(bitPattern: index &- (baseLayerIndex ?? index &- 1)) > 0 { baseLayerIndex = index }
  }
}
