import MeetingModel

/// The flow of one layer of a source, as `media` measures it.
struct LayerMeasurement: Hashable, Sendable {
  private let declared: Bitrate

  /// Whether packets of the layer arrive; true until `media` reports otherwise.
  private(set) var isFlowing = true

  /// The bitrate that the allocation uses: the declared bitrate, or a higher measured bitrate.
  private(set) var bitrate: Bitrate

  /// The number of temporal layers: the number that `media` last counted in the packets, or the
  /// declared number before the first count.
  private(set) var temporalLayers: Int

  private var exceededAt: ContinuousClock.Instant?

  init(_ layer: SimulcastLayer) {
    declared = layer.bitrate
    bitrate = layer.bitrate
    temporalLayers = layer.temporalLayers
  }

  /// Records the number of temporal layers in the packets. Ignores a number for which
  /// ``TemporalLayers`` has no shares of the bitrate.
  mutating func count(temporalLayers: Int) {
    guard (1...TemporalLayers.mostKnown).contains(temporalLayers) else { return }
    self.temporalLayers = temporalLayers
  }

  /// Records a measurement of `media`.
  ///
  /// A bitrate above the declared bitrate applies immediately, rounded to an eighth of the declared
  /// bitrate, so that noise changes nothing. A lower bitrate applies only after the measurements
  /// have been lower for `memory`.
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
