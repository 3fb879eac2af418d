/// A link that carries so many bits in a second: what is more waits, and what does not fit into the
/// queue is dropped.
public struct LinkLimit: Sendable {
  /// What the link carries.
  public let bitsPerSecond: Int
  /// How long packets wait at most.
  public let queue: Duration

  private var freeAt: ContinuousClock.Instant?

  public init(bitsPerSecond: Int, queue: Duration = .milliseconds(400)) {
    (self.bitsPerSecond, self.queue) = (bitsPerSecond, queue)
  }

  /// After how long a packet that came now has been carried; `nil`: it is dropped.
  public mutating func delay(of bytes: Int, at now: ContinuousClock.Instant) -> Duration? {
    let begin = max(freeAt ?? now, now)
    guard begin - now <= queue else { return nil }
    let end = begin + .seconds(1) * (Double(bytes * 8) / Double(bitsPerSecond))
    freeAt = end
    return end - now
  }
}
