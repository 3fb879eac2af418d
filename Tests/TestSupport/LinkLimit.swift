/// A link with a limited bitrate. Excess packets wait in a queue, and the link drops packets that
/// do not fit into the queue.
public struct LinkLimit: Sendable {
  /// The bitrate of the link.
  public let bitsPerSecond: Int
  /// The maximum time that a packet waits.
  public let queue: Duration

  private var freeAt: ContinuousClock.Instant?

  public init(bitsPerSecond: Int, queue: Duration = .milliseconds(400)) {
    (self.bitsPerSecond, self.queue) = (bitsPerSecond, queue)
  }

  /// Returns the time until the link delivers a packet that arrives now; `nil` if the link drops
  /// the packet.
  public mutating func delay(of bytes: Int, at now: ContinuousClock.Instant) -> Duration? {
    let begin = max(freeAt ?? now, now)
    guard begin - now <= queue else { return nil }
    let end = begin + .seconds(1) * (Double(bytes * 8) / Double(bitsPerSecond))
    freeAt = end
    return end - now
  }
}
