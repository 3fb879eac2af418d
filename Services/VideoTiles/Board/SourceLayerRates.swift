import MeetingModel

/// The layers of a source for the allocation: the bitrate of each layer, and whether packets of the
/// layer arrive.
///
/// There are at most three layers. The value stores its layers inline, because a board reads the
/// layers for each receiver of each source.
struct SourceLayerRates: Sendable {
  private(set) var count = 0
  private var rungs = InlineArray<3, Rung>(repeating: Rung())

  private struct Rung {
    var size = FrameSize(width: 0, height: 0)
    var bitrate = Bitrate.zero
    var isFlowing = true
    var framesPerSecond = 0
    var temporalLayers = 1
  }

  init(_ layers: [SimulcastLayer], _ flows: [LayerMeasurement]) {
    precondition(layers.count <= 3 && layers.count == flows.count, "A source has 1-3 layers.")
    var highest = Bitrate.zero
    for (layer, flow) in zip(layers, flows) {
      // If a layer exceeds its declared bitrate, a higher layer must not seem to have a lower
      // bitrate than this layer.
      highest = max(highest, flow.bitrate)
      rungs[count] = Rung(
        size: layer.size, bitrate: highest, isFlowing: flow.isFlowing,
        framesPerSecond: layer.framesPerSecond, temporalLayers: flow.temporalLayers)
      count += 1
    }
  }

  /// Returns a receiver's demand: the layers up to the lowest layer that covers the receiver's
  /// target.
  ///
  /// Only flowing layers count. If no layer up to the target flows, the demand contains only the
  /// lowest flowing layer above the target.
  ///
  /// Then the preference applies. For `frameRate`, the demand omits slow layers. For `resolution`,
  /// the demand also contains layers with some of their temporal layers.
  ///
  /// - Returns: The demand; `nil` if no layer flows.
  func demand(
    priority: VideoPriority, target: FrameSize, preference: VideoAdaptationPreference = .balanced
  ) -> CandidateLayers? {
    var demand = CandidateLayers(priority: priority)
    var isCovered = false
    for index in 0..<count {
      let rung = rungs[index]
      if rung.isFlowing, !isCovered || demand.count == 0 {
        demand.append(layer: index + 1, rung.bitrate)
      }
      isCovered = isCovered || rung.size.covers(target)
    }
    guard demand.count > 0 else { return nil }
    switch preference {
    case .balanced: return demand
    case .frameRate: return withoutSlowLayers(demand)
    case .resolution: return withTemporalLayers(demand)
    }
  }

  /// Returns the layers of a demand whose frame rate is close to the demand's highest frame rate.
  private func withoutSlowLayers(_ demand: CandidateLayers) -> CandidateLayers {
    let indices = (1...demand.count).map { demand.layer(at: $0) - 1 }
    let fastest = indices.map { rungs[$0].framesPerSecond }.max() ?? 0
    var fast = CandidateLayers(priority: demand.priority)
    for index in indices where fastest - rungs[index].framesPerSecond <= Self.framesPerSecondSlack {
      fast.append(layer: index + 1, rungs[index].bitrate)
    }
    return fast
  }

  /// The maximum difference between two frame rates that count as equal, in frames per second.
  private static let framesPerSecondSlack = 2

  /// Returns the layers of a demand, each once for every possible number of temporal layers.
  ///
  /// A large layer with few temporal layers may have a lower bitrate than a smaller layer. The
  /// receiver prefers the large layer, so the result omits the smaller layer.
  private func withTemporalLayers(_ demand: CandidateLayers) -> CandidateLayers {
    var steps: [(layer: Int, temporal: Int, bitrate: Bitrate)] = []
    for level in (1...demand.count).reversed() {
      let layer = demand.layer(at: level)
      let all = rungs[layer - 1].temporalLayers
      for temporal in (1...all).reversed() {
        guard
          let bitrate = TemporalLayers.bitrate(
            of: rungs[layer - 1].bitrate, first: temporal, of: all),
          bitrate < steps.last?.bitrate ?? Bitrate(bitsPerSecond: .max)
        else { continue }
        steps.append((layer, temporal == all ? 0 : temporal, bitrate))
      }
    }
    var all = CandidateLayers(priority: demand.priority)
    for step in steps.reversed() {
      all.append(layer: step.layer, temporalLayers: step.temporal, step.bitrate)
    }
    return all
  }
}
