import RTP

/// The packets of one tile that wait for room on the receiver's link, and the record of dropped
/// frames.
struct ForwarderBacklog: Sendable {
  /// The number of packets that wait.
  private var waiting = 0

  /// The layer of the last packet that waits.
  private var lastLayer = 0

  /// When the tile was held: now, if it is held, and the last time.
  private(set) var heldAt: MediaTime?
  private var lastHeldAt: MediaTime?

  /// The timestamp of the frame that may still be finished while the tile is held.
  private var finishing: UInt32?

  /// When the tile last became wanted, and when its last frame was sent.
  var wantedAt: MediaTime?
  var lastFrameAt: MediaTime?

  var isHeld: Bool { heldAt != nil }

  /// The layer of the last waiting packet; `nil` if nothing waits.
  var tailLayer: Int? { waiting > 0 ? lastLayer : nil }

  /// Adds a packet of a layer.
  mutating func append(to layer: Int) {
    waiting += 1
    lastLayer = layer
  }

  mutating func removeFirst() { waiting -= 1 }

  /// Removes all packets and the frame to finish.
  mutating func empty() { (waiting, finishing) = (0, nil) }

  /// Holds the tile: only the rest of a frame is still sent.
  mutating func hold(finishing frame: UInt32?, keeping packets: Int, at now: MediaTime) {
    waiting = packets
    heldAt = heldAt ?? now
    lastHeldAt = now
    finishing = frame
  }

  /// Returns whether a packet belongs to the frame that may be finished, and adds it if so.
  mutating func finishes(_ packet: VideoPacket) -> Bool {
    guard packet.timestamp == finishing, packet.layer == lastLayer else { return false }
    waiting += 1
    return true
  }

  mutating func release() { (heldAt, finishing) = (nil, nil) }

  /// Returns whether frames were dropped during the last second.
  func isStarved(at now: MediaTime) -> Bool {
    isHeld || lastHeldAt.map { now - $0 < .seconds(1) } ?? false
  }

  /// Returns whether no frame was sent for this long.
  func rests(for time: Duration, at now: MediaTime) -> Bool {
    guard let wantedAt else { return false }
    return now - max(lastFrameAt ?? wantedAt, wantedAt) >= time
  }
}
