import LongComputation
import Testing

@Suite(.longComputation) struct MessagingPropertyTests {
  @Test func `random operations, losses and crashes violate no invariant`() {
    let fresh = UInt64.random(in: 1_000...(.max - 1_000))
    for seed in Array(0..<200) + Array(fresh..<fresh + 50) {
      var simulation = MessagingSimulation(seed: seed)
      do {
        try simulation.run(steps: 300)
      } catch {
        Issue.record("\(error)")
        return
      }
    }
  }
}
