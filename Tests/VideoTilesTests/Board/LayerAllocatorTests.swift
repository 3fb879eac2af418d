import MeetingModel
import Testing

@testable import VideoTiles

@Suite struct LayerAllocatorTests {
  /// Returns the levels that the allocator chooses for demands with these bitrates per level, in
  /// kbit/s.
  private func levels(_ demands: [(VideoPriority, [Int])], within kilobits: Int?) -> [UInt8] {
    var allocator = LayerAllocator()
    allocator.allocate(
      demands.map { priority, rates in
        var demand = CandidateLayers(priority: priority)
        for (index, rate) in rates.enumerated() { demand.append(layer: index + 1, .kilobits(rate)) }
        return demand
      }, within: kilobits.map { .kilobits($0) })
    return allocator.levels
  }

  private static let simulcast = [150, 600, 1_200]

  @Test(
    arguments: [
      // The link has room for all layers, or the capacity is unknown.
      (nil, [3, 3]), (2_400, [3, 3]),
      // First the lower group loses its layers one by one, and finally its tile.
      (2_399, [3, 2]), (1_799, [3, 1]), (1_349, [3, 0]),
      // The higher group loses layers only after the lower group has lost its tile.
      (1_200, [3, 0]), (1_199, [2, 1]), (1_000, [2, 1]), (749, [2, 0]), (300, [1, 1]),
      (299, [1, 0]), (149, [0, 0]),
      (0, [0, 0]),
    ] as [(Int?, [UInt8])])
  func `the group with the lowest priority loses layers first`(kilobits: Int?, expected: [UInt8]) {
    let demands = [(VideoPriority.highest, Self.simulcast), (.low, Self.simulcast)]
    #expect(levels(demands, within: kilobits) == expected)
    #expect(
      levels(demands.reversed(), within: kilobits) == expected.reversed())
  }

  @Test(
    arguments: [
      (3_600, [3, 3, 3]), (3_000, [3, 3, 2]), (1_800, [2, 2, 2]), (1_799, [2, 2, 1]),
      (450, [1, 1, 1]), (449, [1, 1, 0]), (300, [1, 1, 0]), (150, [1, 0, 0]),
    ] as [(Int, [UInt8])])
  func `tiles of equal priority lose layers before any of these tiles is paused`(
    kilobits: Int, expected: [UInt8]
  ) {
    let demands = Array(repeating: (VideoPriority.high, Self.simulcast), count: 3)
    #expect(levels(demands, within: kilobits) == expected)
  }

  @Test func `a source with a single layer is paused, not lowered`() {
    let demands = [(VideoPriority.high, [800]), (.high, [800]), (.high, [100])]
    #expect(levels(demands, within: 1_600) == [1, 1, 0])
    #expect(levels(demands, within: 1_700) == [1, 1, 1])
    #expect(levels(demands, within: 1_599) == [1, 0, 1])
    #expect(levels(demands, within: 700) == [0, 0, 1])
  }

  @Test func `bandwidth that a group cannot use goes to a group of lower priority`() {
    #expect(levels([(.highest, [2_500]), (.lowest, [150, 600])], within: 700) == [0, 2])
  }

  @Test func `an empty list of demands gets no layers`() {
    #expect(levels([], within: 0) == [])
  }
}
