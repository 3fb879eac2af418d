import LongComputation
import Testing

@Suite(.longComputation) struct PresencePropertyTests {
  @Test func `random operations violate no invariant`() {
    let fresh = UInt64.random(in: 1_000...(.max - 1_000))
    for seed in Array(0..<300) + Array(fresh..<fresh + 100) {
      var simulation = PresenceSimulation(seed: seed)
      do {
        try simulation.run(steps: 150)
      } catch {
        Issue.record("\(error)")
        return
      }
    }
  }
}
