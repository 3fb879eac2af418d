import MeetingModel

/// The actual flow of one layer of a source, as media measures it.
struct LayerFlow: Hashable, Sendable {
  private let declared: Bitrate

  /// Whether packets arrive. Assumed until media reports otherwise.
  private(set) var isFlowing = true

  /// The bitrate that it counts with: the declared one, or more if it sends more.
  private(set) var bitrate: Bitrate

  private var exceededAt: ContinuousClock.Instant?

  init(_ layer: SimulcastLayer) {
    declared = layer.bitrate
    bitrate = layer.bitrate
  }

  /// Records media's measurement.
  ///
  /// An excess over the declared bitrate counts at once, rounded to an eighth of that bitrate, so
  /// that noise changes nothing and a key frame does not count for ten seconds. A lower bitrate
  /// counts after it has been lower for `memory`.
  mutating func measure(
    isFlowing: Bool, _ measured: Bitrate, at now: ContinuousClock.Instant, memory: Duration
  ) {
    self.isFlowing = isFlowing
    let counted = stepped(measured)
    if counted >= bitrate {
      bitrate = counted
      exceededAt = counted > declared ? now : nil
    } else if let exceeded = exceededAt, exceeded + memory <= now {
      bitrate = counted
      exceededAt = counted > declared ? now : nil
    }
  }

  private func stepped(_ measured: Bitrate) -> Bitrate {
    guard measured > declared else { return declared }
    let step = max(declared.bitsPerSecond / 8, 1)
    let excess = (measured - declared).bitsPerSecond
    return declared + Bitrate(bitsPerSecond: (excess + step / 2) / step * step)
  }
}
