/// A link with a limited bitrate. Excess packets wait in a queue, and packets that do not fit into
/// the queue are dropped.
public struct LinkLimit: Sendable {
  /// The bitrate of the link.
  public let bitsPerSecond: Int
  /// The maximum time that a packet waits.
  public let queue: Duration

  private var freeAt: ContinuousClock.Instant?

  public init(bitsPerSecond: Int, queue: Duration = .milliseconds(400)) {
    (self.bitsPerSecond, self.queue) = (bitsPerSecond, queue)
  }

  /// Returns the time until a packet that arrives now is delivered; `nil` if the packet is dropped.
  public mutating func delay(of bytes: Int, at now: ContinuousClock.Instant) -> Duration? {
    let begin = max(freeAt ?? now, now)
    guard begin - now <= queue else { return nil }
    let end = begin + .seconds(1) * (Double(bytes * 8) / Double(bitsPerSecond))
    freeAt = end
    return end - now
  }
}
