import Testing

@Suite struct TilePropertyTests {
  @Test(arguments: 0..<4)
  func `random meetings break no promise`(part: UInt64) {
    // Half of the seeds are new each time; whichever fails is named.
    let fresh = UInt64.random(in: 100_000...(.max - 100_000))
    for number in 0..<UInt64(2_500) {
      let seed = number % 2 == 0 ? part * 2_500 + number : fresh + number
      var simulation = TileSimulation(seed: seed)
      do {
        try simulation.run(steps: 20)
      } catch {
        Issue.record("\(error)")
        return
      }
    }
  }
}
