import MeetingModel

/// Chooses the layers for one receiver whose link may be too slow for all layers.
///
/// **Guarantees.** Sources form groups of equal priority. If bandwidth is short, the lowest group
/// loses bandwidth first: the allocator lowers the group's layers. When all tiles of the group have
/// their lowest layer, the allocator pauses the group's tiles. Only then does the allocator lower
/// the layers of the next group. Recovery has the opposite order: the highest group first, and
/// tiles before layers. A source with one stream has no layers to lower, so the allocator can only
/// pause the source. The sum of the chosen bitrates never exceeds the budget.
///
/// **Method.** Each group gets everything that it needs before a lower group gets anything. So the
/// allocator does not lower and pause step by step. It computes the result from the highest
/// priority to the lowest. For each group, with the remaining budget:
///
/// 1. *Tiles.* In the order of the demands, each tile gets its lowest layer if this layer fits. If
///    the layer does not fit, the allocator pauses the tile, and tries the next tile.
/// 2. *Layers.* Then, in order, each tile with its first layer gets its second layer if this layer
///    fits. After that, each tile with its second layer gets its third layer if this layer fits.
///
/// If a receiver prefers resolution (``VideoAdaptationPreference``), a tile has more levels than
/// layers, because a layer with some of its temporal layers is also a level (``CandidateLayers``).
/// The steps above then apply to levels instead of layers.
///
/// So the allocator pauses a tile only if there is no room after the allocator has lowered the
/// tile's whole group and has paused all lower groups. If a tile gets a lower layer than it needs,
/// the next layer would not fit even if the allocator paused all lower groups. If the next step of
/// a higher group is too large for the remaining bandwidth, the lower groups get this bandwidth.
///
/// The result depends only on the demands and the budget, not on earlier results or on the order in
/// which the board received its input. Two inputs change without a decision of a client: the budget
/// (``DownlinkBudget``) and the counted bitrates of layers (``LayerMeasurement``). So these two
/// types must prevent oscillation.
///
/// **Cost.** Groups x levels x demands: at most 5 x 3 x 27 comparisons for each receiver, and four
/// times as many if the receiver prefers resolution. There are no allocations after the buffer has
/// grown.
struct LayerAllocator: Sendable {
  /// The chosen level of each demand; 0 for none.
  private(set) var levels: [UInt8] = []

  /// Chooses the levels of all demands.
  ///
  /// - Parameters:
  ///   - demands: The demands. Among equal priorities, earlier demands come first.
  ///   - budget: The capacity of the link; `nil` if unknown. The value `nil` means unlimited.
  mutating func allocate(_ demands: [CandidateLayers], within budget: Bitrate?) {
    levels.removeAll(keepingCapacity: true)
    var everything = 0
    var (groups, highest): (UInt64, Int) = (0, 0)
    for demand in demands {
      levels.append(UInt8(demand.count))
      highest = max(highest, demand.count)
      everything += demand.bits(at: demand.count)
      groups |= 1 << UInt64(demand.priority.rawValue)
    }
    guard let budget, everything > budget.bitsPerSecond else { return }
    for index in levels.indices { levels[index] = 0 }
    var left = budget.bitsPerSecond
    for priority in Self.fromHighest where groups & 1 << UInt64(priority.rawValue) != 0 {
      for level in 0..<highest { raise(demands, of: priority, to: level + 1, from: &left) }
    }
  }

  private static let fromHighest = VideoPriority.allCases.sorted(by: >)

  private mutating func raise(
    _ demands: [CandidateLayers], of priority: VideoPriority, to level: Int, from left: inout Int
  ) {
    for index in demands.indices {
      let demand = demands[index]
      guard demand.priority == priority, demand.count >= level, levels[index] == level - 1
      else { continue }
      let step = demand.bits(at: level) - demand.bits(at: level - 1)
      guard step <= left else { continue }
      left -= step
      levels[index] = UInt8(level)
    }
  }
}
