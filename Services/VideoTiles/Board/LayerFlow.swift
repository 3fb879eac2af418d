import MeetingModel

/// What one layer of a source really is, as media measures it.
struct LayerFlow: Hashable, Sendable {
  private let declared: Bitrate

  /// Whether packets come. Believed until media says otherwise.
  private(set) var isFlowing = true

  /// What it counts for: what was declared, or more when it sends more.
  private(set) var bitrate: Bitrate

  private var exceededAt: ContinuousClock.Instant?

  init(_ layer: SimulcastLayer) {
    declared = layer.bitrate
    bitrate = layer.bitrate
  }

  /// Media measured it.
  ///
  /// More than was declared counts at once, to the nearest eighth of that, so that noise changes
  /// nothing and a key frame does not count for ten seconds; less counts when it has been less for
  /// `memory`.
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
