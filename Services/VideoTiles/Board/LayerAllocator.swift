import MeetingModel

/// The choice of layers for one receiver when its link cannot carry everything.
///
/// **Guarantees.** Sources compete in groups of equal priority. When bandwidth is short, the lowest
/// group yields first: its layers are lowered, and when all are at their lowest its tiles are
/// paused. Only then is the next group affected. Recovery runs in the opposite order: the highest
/// group first, tiles before layers. A source with one stream has no layers to lower and is only
/// paused. The sum of the choices never exceeds the budget.
///
/// **Method.** A lower group gets nothing before every higher group is satisfied. So the final
/// state of lowering and pausing can be computed directly, from the top. For each group, from the
/// highest priority to the lowest, with the remaining budget:
///
/// 1. *Tiles.* In order of the demands, each gets its lowest layer if that fits. One that does not
///    fit is paused, and the next is tried.
/// 2. *Layers.* Then all that have their first layer get their second, in order, as far as it fits;
///    then those the third.
///
/// So a tile is paused only if lowering its whole group and pausing all groups below would not make
/// room. A layer is held back only if pausing all groups below would not pay for it. Bandwidth that
/// a higher group cannot use, because its next step is too large, goes to the groups below.
///
/// The choice depends only on the demands and the budget, not on earlier choices or on the order of
/// input. The budget (``DownlinkBudget``) and the counted bitrate of layers (``LayerFlow``) are the
/// only inputs that change by themselves, so they are responsible for preventing oscillation.
///
/// **Cost.** Groups x levels x demands: at most 5 x 3 x 27 comparisons per receiver, without
/// allocations once the buffer has grown.
struct LayerAllocator: Sendable {
  /// The number of levels chosen for each demand; 0 for none.
  private(set) var levels: [UInt8] = []

  /// Chooses the levels again.
  ///
  /// - Parameters:
  ///   - demands: The demands. Equal priorities are served in this order.
  ///   - budget: The capacity of the link; `nil` if unknown, which means unlimited.
  mutating func allocate(_ demands: [Demand], within budget: Bitrate?) {
    levels.removeAll(keepingCapacity: true)
    var everything = 0
    var groups: UInt64 = 0
    for demand in demands {
      levels.append(UInt8(demand.count))
      everything += demand.bits(at: demand.count)
      groups |= 1 << UInt64(demand.priority.rawValue)
    }
    guard let budget, everything > budget.bitsPerSecond else { return }
    for index in levels.indices { levels[index] = 0 }
    var left = budget.bitsPerSecond
    for priority in Self.fromHighest where groups & 1 << UInt64(priority.rawValue) != 0 {
      for level in 1...SourceDeclaration.mostLayers {
        raise(demands, of: priority, to: level, from: &left)
      }
    }
  }

  private static let fromHighest = VideoPriority.allCases.sorted(by: >)

  private mutating func raise(
    _ demands: [Demand], of priority: VideoPriority, to level: Int, from left: inout Int
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
