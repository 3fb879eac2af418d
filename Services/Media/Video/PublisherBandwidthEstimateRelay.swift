import RTP

/// Decides when a publisher gets the estimate of its only receiver's link.
///
/// The publisher gets an estimate every second. It gets an estimate earlier if the estimate has
/// fallen by a twentieth or more. If the publisher later has no receiver or several receivers, the
/// publisher gets the estimate ``unlimited``, because a browser keeps the last estimate. The
/// publisher gets ``unlimited`` three times, because the network may lose RTCP packets.
struct PublisherBandwidthEstimateRelay: Sendable {
  /// An estimate that is so high that it limits no publisher, in bit/s.
  static let unlimited = 20_000_000

  private static let releases = 3
  private static let interval: Int64 = 1_000_000

  private var told: (estimate: Int, at: MonotonicTime)?
  private var releasesLeft = 0

  /// Whether ``take(_:at:)`` may return an estimate for a publisher with no receiver or with
  /// several receivers.
  var isActive: Bool { releasesLeft > 0 }

  /// Returns the estimate to send now, in bit/s; `nil` if none is due.
  ///
  /// The estimate for the publisher is nine tenths of the receiver's estimate. The last tenth is
  /// for retransmissions and for the sound of the receiver's mix.
  ///
  /// - Parameter estimate: The bandwidth for video at the only receiver; `nil` if the publisher has
  ///   no receiver or several receivers.
  mutating func take(_ estimate: Int?, at now: MonotonicTime) -> Int? {
    guard let estimate else { return takeRelease(at: now) }
    releasesLeft = Self.releases
    return tell(min(estimate / 10 * 9, Self.unlimited), at: now)
  }

  private mutating func takeRelease(at now: MonotonicTime) -> Int? {
    guard isActive, let due = tell(Self.unlimited, at: now) else { return nil }
    releasesLeft -= 1
    return due
  }

  private mutating func tell(_ estimate: Int, at now: MonotonicTime) -> Int? {
    if let told, now.microseconds(since: told.at) < Self.interval {
      guard estimate <= told.estimate / 20 * 19 else { return nil }
    }
    told = (estimate, now)
    return estimate
  }
}
