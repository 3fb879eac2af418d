import RTP

/// The numbers of the last packet that the router sent to one receiver in one track. The numbers of
/// the next packet follow these numbers.
struct TrackPosition: Sendable {
  /// The highest sent sequence number, unwrapped.
  var number: Int64

  /// The timestamp of the newest sent frame, and the time at which this frame began.
  var frame: (timestamp: UInt32, at: MonotonicTime)?

  /// The highest picture id of VP8 or VP9, or the highest frame number of AV1, unwrapped.
  var picture: Int64?

  /// The newest base layer index of VP8.
  var baseLayerIndex: UInt8?

  /// The number of sent packets.
  private(set) var packets: UInt32 = 0

  /// The number of payload bytes in the sent packets.
  private(set) var payloadBytes: UInt32 = 0

  /// Whether the receiver has stopped receiving the track, or has changed to another layer of the
  /// track.
  var wasLeft = false

  /// The values of the receiver's last report.
  var reported: (highest: UInt32, lost: Int32, senderReport: UInt32)?

  /// Creates the position at the start of a track.
  ///
  /// The first number is random (RFC 3550, section 5.1). After a restart, an instance sends the
  /// track with the same SSRC. If the track also started at the same number, a receiver would
  /// reject the new packets as old packets.
  init() { number = .random(in: 1..<(1 << 15)) }

  /// Whether the receiver gets the track for the first time, and has not received a packet of the
  /// track yet.
  var isUntouched: Bool { packets == 0 && !wasLeft }

  /// Counts a sent packet.
  mutating func count(payloadBytes bytes: Int) {
    packets &+= 1
    payloadBytes &+= UInt32(truncatingIfNeeded: bytes)
  }

  /// Records the numbers of a sent packet. The packet may be older than packets that were sent
  /// earlier.
  mutating func note(number: Int64, picture: Int64?, baseLayerIndex index: UInt8?) {
    self.number = max(self.number, number)
    if let picture { self.picture = max(self.picture ?? picture, picture) }
    guard let index else { return }
    if Int8(bitPattern: index &- (baseLayerIndex ?? index &- 1)) > 0 { baseLayerIndex = index }
  }
}
