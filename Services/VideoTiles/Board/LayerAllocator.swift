import MeetingModel

/// Chooses what one receiver gets of each source when its link does not carry everything.
///
/// **What is promised.** Sources compete in groups of equal priority. When there is too little, the
/// lowest group gives first: its layers are lowered, and when all are at their lowest its tiles are
/// paused; only then is the next group touched. What comes back comes in the opposite order: the
/// highest group first, tiles before layers. A source with one stream has no layers to give and is
/// only paused. The sum of what is chosen never exceeds the budget.
///
/// **How.** Because nothing is owed to a lower group before a higher one has all it wants, the
/// state in which lowering and pausing must end can be computed directly, from the top. For each
/// group from the highest priority to the lowest, with what those before left:
///
/// 1. *Tiles.* In order of the demands, each gets its lowest layer if that fits. One that does not
///    fit is paused, and the next is tried.
/// 2. *Layers.* Then all that have their first layer get their second, in order, as far as it fits;
///    then those the third.
///
/// So a tile is paused only where not even lowering all of its own group and pausing all below it
/// would make room; and a layer is held back only where pausing all below would not pay for it.
/// What a higher group cannot use, because its next step is too large, goes to the groups below.
///
/// The choice is a function of the demands and the budget and of nothing else: it does not depend
/// on what was chosen before or on the order in which things were learnt. That nothing flaps is the
/// duty of the budget (``DownlinkBudget``) and of what a layer counts for (``LayerFlow``), which
/// are the only inputs that move by themselves.
///
/// **Cost.** Groups x levels x demands: at most 5 x 3 x 27 comparisons a receiver, without
/// allocating once the buffer has grown.
struct LayerAllocator: Sendable {
  /// What was chosen for each demand: 0 for nothing, else how many of its levels.
  private(set) var levels: [UInt8] = []

  /// Chooses anew.
  ///
  /// - Parameters:
  ///   - demands: In the order in which equals are served.
  ///   - budget: What the link carries; `nil` when that is not known: then it carries all.
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
