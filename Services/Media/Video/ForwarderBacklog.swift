import RTP

/// What of one tile waits for room on the link of its receiver, and what was left out for want of
/// it.
struct ForwarderBacklog: Sendable {
  /// Packets that wait.
  private var waiting = 0

  /// The layer of the last packet that waits.
  private var lastLayer = 0

  /// Since when nothing more of it leaves, and when that was so last.
  private(set) var heldAt: MediaTime?
  private var lastHeldAt: MediaTime?

  /// While it is held: the frame that may still be finished.
  private var finishing: UInt32?

  /// When it was wanted, and when a frame of it left last.
  var wantedAt: MediaTime?
  var lastFrameAt: MediaTime?

  var isHeld: Bool { heldAt != nil }

  /// The layer that goes out behind all that waits; `nil`: nothing waits.
  var tailLayer: Int? { waiting > 0 ? lastLayer : nil }

  /// A packet of a layer waits.
  mutating func append(to layer: Int) {
    waiting += 1
    lastLayer = layer
  }

  mutating func removeFirst() { waiting -= 1 }

  /// Nothing of it waits any more, and no frame is finished.
  mutating func empty() { (waiting, finishing) = (0, nil) }

  /// Nothing more of it leaves but the rest of a frame.
  mutating func hold(finishing frame: UInt32?, keeping packets: Int, at now: MediaTime) {
    waiting = packets
    heldAt = heldAt ?? now
    lastHeldAt = now
    finishing = frame
  }

  /// While it is held: whether a packet belongs to the frame that may be finished.
  mutating func finishes(_ packet: VideoPacket) -> Bool {
    guard packet.timestamp == finishing, packet.layer == lastLayer else { return false }
    waiting += 1
    return true
  }

  mutating func release() { (heldAt, finishing) = (nil, nil) }

  /// Frames of it were left out within the last second.
  func isStarved(at now: MediaTime) -> Bool {
    isHeld || lastHeldAt.map { now - $0 < .seconds(1) } ?? false
  }

  /// Nothing of it has left for so long.
  func rests(for time: Duration, at now: MediaTime) -> Bool {
    guard let wantedAt else { return false }
    return now - max(lastFrameAt ?? wantedAt, wantedAt) >= time
  }
}
