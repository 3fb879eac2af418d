import RTP

/// The packets of one tile that wait for room on the receiver's link, and the record of dropped
/// frames.
struct ForwarderBacklog: Sendable {
  /// The number of waiting packets.
  private var waiting = 0

  /// The layer of the last waiting packet.
  private var lastLayer = 0

  /// The time at which the router stopped the tile; `nil` while the tile is not stopped.
  private(set) var heldAt: MonotonicTime?

  /// The time at which the router last stopped the tile.
  private var lastHeldAt: MonotonicTime?

  /// The timestamp of the unfinished frame, whose rest the router may send while the tile is
  /// stopped.
  private var finishing: UInt32?

  /// The time at which the receiver last began to want the tile.
  var wantedAt: MonotonicTime?

  /// The time at which the router last sent a frame of the tile.
  var lastFrameAt: MonotonicTime?

  var isHeld: Bool { heldAt != nil }

  /// The layer of the last waiting packet; `nil` if no packet waits.
  var tailLayer: Int? { waiting > 0 ? lastLayer : nil }

  /// Adds a packet of a layer.
  mutating func append(to layer: Int) {
    waiting += 1
    lastLayer = layer
  }

  mutating func removeFirst() { waiting -= 1 }

  /// Removes all packets and the unfinished frame.
  mutating func empty() { (waiting, finishing) = (0, nil) }

  /// Stops the tile. While the tile is stopped, the router sends only the rest of the unfinished
  /// frame.
  mutating func hold(finishing frame: UInt32?, keeping packets: Int, at now: MonotonicTime) {
    waiting = packets
    heldAt = heldAt ?? now
    lastHeldAt = now
    finishing = frame
  }

  /// Returns whether a packet belongs to the unfinished frame. If so, also adds the packet.
  mutating func finishes(_ packet: VideoPacket) -> Bool {
    guard packet.timestamp == finishing, packet.layer == lastLayer else { return false }
    waiting += 1
    return true
  }

  mutating func release() { (heldAt, finishing) = (nil, nil) }

  /// Returns whether the tile dropped frames during the last second.
  func isStarved(at now: MonotonicTime) -> Bool {
    isHeld || lastHeldAt.map { now - $0 < .seconds(1) } ?? false
  }

  /// Returns whether the router has sent no frame of the tile for `time`.
  func rests(for time: Duration, at now: MonotonicTime) -> Bool {
    guard let wantedAt else { return false }
    return now - max(lastFrameAt ?? wantedAt, wantedAt) >= time
  }
}
