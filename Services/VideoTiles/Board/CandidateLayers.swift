import MeetingModel

/// A receiver's demand for one source: the levels that the receiver may get, lowest bitrate first.
/// A level is a layer with all or some of its temporal layers. Levels have numbers from 1; level 0
/// means that the receiver gets no layer.
struct CandidateLayers: Sendable {
  let priority: VideoPriority
  private(set) var count = 0

  /// The levels. A source has at most three layers, and each layer has at most
  /// ``TemporalLayers/mostKnown`` levels.
  private var levels = InlineArray<12, Level>(repeating: Level())

  private struct Level: Sendable {
    var layer: UInt8 = 0
    var temporalLayers: UInt8 = 0
    var bitsPerSecond = 0
  }

  init(priority: VideoPriority) { self.priority = priority }

  /// Appends the next level. The level's bitrate must not be lower than the bitrate of the previous
  /// level.
  ///
  /// - Parameters:
  ///   - layer: The number of the layer, from 1.
  ///   - temporalLayers: The number of temporal layers; 0 for all.
  mutating func append(layer: Int, temporalLayers: Int = 0, _ bitrate: Bitrate) {
    levels[count] = Level(
      layer: UInt8(layer), temporalLayers: UInt8(temporalLayers),
      bitsPerSecond: bitrate.bitsPerSecond)
    count += 1
  }

  /// Returns the layer of a level. Level 0 has no layer, so the method returns 0 for this level.
  func layer(at level: Int) -> Int { level == 0 ? 0 : Int(levels[level - 1].layer) }

  /// Returns the number of temporal layers of a level; 0 for all, and for level 0.
  func temporalLayers(at level: Int) -> Int {
    level == 0 ? 0 : Int(levels[level - 1].temporalLayers)
  }

  /// Returns a copy of this value without the levels that exceed a limit.
  ///
  /// - Parameters:
  ///   - highest: The highest layer of the copy.
  ///   - most: The maximum number of temporal layers of this layer; 0 for all.
  func limited(toLayer highest: Int, temporalLayers most: Int = 0) -> CandidateLayers {
    var limited = self
    while limited.count > 0, limited.exceeds(highest, most) { limited.count -= 1 }
    return limited
  }

  private func exceeds(_ highest: Int, _ most: Int) -> Bool {
    guard layer(at: count) == highest, most > 0 else { return layer(at: count) > highest }
    let temporal = temporalLayers(at: count)
    return temporal == 0 || temporal > most
  }

  /// Returns the bitrate of a level, in bit/s; 0 for level 0.
  func bits(at level: Int) -> Int { level == 0 ? 0 : levels[level - 1].bitsPerSecond }
}
