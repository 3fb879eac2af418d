import RTP

/// Decides when a publisher gets an estimate of the bandwidth that it may use (REMB).
///
/// The estimate is the lower of two values: the estimate of the link of the publisher's only
/// receiver, and the estimate of the publisher's own link, if `media` measures this link.
///
/// The publisher gets an estimate every second. It gets an estimate earlier if the estimate has
/// fallen by a twentieth or more. A browser keeps the last estimate. So if neither value applies
/// any more, for example because the publisher now has several receivers, the publisher gets the
/// estimate ``unlimited``. The publisher gets ``unlimited`` three times, because the network may
/// lose RTCP packets.
struct PublisherBandwidthEstimateRelay: Sendable {
  /// An estimate that is so high that it limits no publisher, in bit/s.
  static let unlimited = 20_000_000

  private static let releases = 3
  private static let interval: Int64 = 1_000_000

  private var told: (estimate: Int, at: MonotonicTime)?
  private var releasesLeft = 0

  /// Whether ``take(_:uplink:at:)`` may return ``unlimited`` for a publisher that no longer has an
  /// estimate.
  var isActive: Bool { releasesLeft > 0 }

  /// Returns the estimate to send now, in bit/s; `nil` if none is due.
  ///
  /// The publisher may use nine tenths of the receiver's estimate. The last tenth is for
  /// retransmissions and for the sound of the receiver's mix.
  ///
  /// - Parameters:
  ///   - estimate: The bandwidth for video at the only receiver; `nil` if the publisher has no
  ///     receiver or several receivers.
  ///   - uplink: The estimate of the link from the publisher; `nil` if `media` does not measure it.
  mutating func take(_ estimate: Int?, uplink: Int? = nil, at now: MonotonicTime) -> Int? {
    let share = estimate.map { $0 / 10 * 9 }
    guard let limit = [share, uplink].compactMap(\.self).min() else {
      return takeRelease(at: now)
    }
    releasesLeft = Self.releases
    return tell(min(limit, Self.unlimited), at: now)
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
