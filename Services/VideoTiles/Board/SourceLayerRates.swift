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
  }

  init(_ layers: [SimulcastLayer], _ flows: [LayerMeasurement]) {
    precondition(layers.count <= 3 && layers.count == flows.count, "A source has 1-3 layers.")
    var highest = Bitrate.zero
    for (layer, flow) in zip(layers, flows) {
      // If a layer exceeds its declared bitrate, a higher layer must not seem to have a lower
      // bitrate than this layer.
      highest = max(highest, flow.bitrate)
      rungs[count] = Rung(size: layer.size, bitrate: highest, isFlowing: flow.isFlowing)
      count += 1
    }
  }

  /// Returns a receiver's demand: the layers up to the lowest layer that covers the receiver's
  /// target.
  ///
  /// Only flowing layers count. If no layer up to the target flows, the demand contains only the
  /// lowest flowing layer above the target.
  ///
  /// - Returns: The demand; `nil` if no layer flows.
  func demand(priority: VideoPriority, target: FrameSize) -> CandidateLayers? {
    var demand = CandidateLayers(priority: priority)
    var isCovered = false
    for index in 0..<count {
      let rung = rungs[index]
      if rung.isFlowing, !isCovered || demand.count == 0 {
        demand.append(layer: index + 1, rung.bitrate)
      }
      isCovered = isCovered || rung.size.covers(target)
    }
    return demand.count == 0 ? nil : demand
  }
}
