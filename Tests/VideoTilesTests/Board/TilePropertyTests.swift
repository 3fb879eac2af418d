import LongComputation
import Testing

@Suite(.longComputation) struct TilePropertyTests {
  @Test(arguments: 0..<2)
  func `random operations violate no invariant`(part: UInt64) async {
    // Half of the seeds are new in each run. If the test fails, the test names the seed.
    let fresh = UInt64.random(in: 100_000...(.max - 100_000))
    for number in 0..<UInt64(5_000) {
      let seed = number % 2 == 0 ? part * 5_000 + number : fresh + number
      var simulation = TileSimulation(seed: seed)
      do {
        try simulation.run(steps: 20)
      } catch {
        Issue.record("\(error)")
        return
      }
      // Other tests use sockets and have a time limit, so this test must yield.
      await Task.yield()
    }
  }
}
