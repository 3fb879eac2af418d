import ZeroMQ

/// Packets that wait for one receiver whose connection takes no more now: the newest, oldest first.
struct PacketQueue {
  private var frames: [Frame] = []
  private var first = 0

  /// About a second of one video and the mix.
  static let capacity = 256

  var count: Int { frames.count - first }
  var isEmpty: Bool { count == 0 }

  /// The packet that has waited longest.
  var next: Frame? { isEmpty ? nil : frames[first] }

  /// - Returns: Whether the oldest packet was dropped to make room.
  mutating func append(_ frame: Frame) -> Bool {
    let isFull = count == Self.capacity
    if isFull { removeFirst() }
    frames.append(frame)
    return isFull
  }

  mutating func removeFirst() {
    first += 1
    guard first > Self.capacity || first == frames.count else { return }
    frames.removeFirst(first)
    first = 0
  }
}
