import Testing

@testable import CarillonClientMedia

@Suite struct UplinkAllocationTests {
  private static let layers = [150_000, 500_000, 1_400_000]

  @Test(
    arguments: [
      (nil, [150_000, 500_000, 1_400_000]), (3_000_000, [150_000, 500_000, 1_400_000]),
      // The highest active layer gets the rest of the bitrate. If the rest is too small for this
      // layer, the lower layers get less.
      (1_800_000, [150_000, 500_000, 1_150_000]), (1_500_000, [87_693, 292_308, 1_119_999]),
      (1_100_000, [75_000, 250_000, 775_000]), (1_069_000, [150_000, 500_000, 0]),
      (500_000, [100_000, 400_000, 0]), (400_000, [75_000, 325_000, 0]),
      (299_000, [150_000, 0, 0]), (100_000, [100_000, 0, 0]), (1_000, [40_000, 0, 0]),
    ] as [(Int?, [Int])])
  func `the highest layers are switched off first`(budget: Int?, expected: [Int]) {
    var allocation = UplinkAllocation()
    #expect(allocation.allocate(Self.layers, within: budget, at: 0) == expected)
  }

  @Test func `a layer returns after the budget has been sufficient for a second`() {
    var allocation = UplinkAllocation()
    _ = allocation.allocate(Self.layers, within: 500_000, at: 0)
    // The bitrate suffices for a part of the highest layer, but has not sufficed for a whole second
    // yet.
    #expect(allocation.allocate(Self.layers, within: 1_400_000, at: 100_000)[2] == 0)
    #expect(allocation.allocate(Self.layers, within: 1_400_000, at: 900_000)[2] == 0)
    #expect(allocation.allocate(Self.layers, within: 1_400_000, at: 1_200_000)[2] == 1_075_000)
  }

  @Test func `a layer does not return while the estimate swings`() {
    var allocation = UplinkAllocation()
    for step in 0..<100 {
      let budget = step % 5 == 0 ? 600_000 : 1_900_000
      let rates = allocation.allocate(Self.layers, within: budget, at: Int64(step) * 200_000)
      #expect(step == 0 || rates[2] == 0)
    }
  }

  @Test func `the allocated bitrates never exceed the budget`() {
    for budget in stride(from: 0, through: 2_000_000, by: 1_000) {
      var allocation = UplinkAllocation()
      let rates = allocation.allocate([50_000, 60_000, 900_000], within: budget, at: 0)
      #expect(rates.reduce(0, +) <= max(budget, UplinkAllocation.least), "\(budget): \(rates)")
    }
  }

  @Test func `a layer without a maximum bitrate gets no bitrate`() {
    var allocation = UplinkAllocation()
    #expect(allocation.allocate([0, 0, 300_000], within: 100_000, at: 0) == [0, 0, 100_000])
  }

  @Test func `the allocation adapts to a smaller number of layers`() {
    var allocation = UplinkAllocation()
    _ = allocation.allocate(Self.layers, within: 3_000_000, at: 0)
    #expect(allocation.allocate([300_000], within: 200_000, at: 1) == [200_000])
    #expect(allocation.allocate([], within: 200_000, at: 2) == [])
  }
}

@Suite struct RateCapTests {
  @Test(arguments: [1, 5, 20])
  func `frames of any size stay within the bitrate`(times: Int) {
    var cap = RateCap()
    var bytes = 0
    for frame in 0..<300 {
      guard cap.allows(at: Int64(frame) * 6_000, bitsPerSecond: 200_000) else { continue }
      bytes += 1_600 * times
      cap.spend(1_600 * times)
    }
    // The limit is the sum of 20 s at the bitrate, a burst of half a second, and one frame.
    #expect(bytes * 8 <= 200_000 * 41 / 2 + 1_600 * times * 8)
    #expect(bytes * 8 >= 180_000 * 20)
  }
}
