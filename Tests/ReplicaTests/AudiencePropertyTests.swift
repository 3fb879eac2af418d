import Testing

/// Tests of the rules on replica meetings in the original SDK's guide; see `docs/replica-guide.md`.
/// The tests run the state machines of gateway, presence, video-tiles and media without sockets.
@Suite struct AudiencePropertyTests {
  private static let seeds = 2_500
  private static let batch = 250

  @Test(arguments: Array(stride(from: 0, to: seeds, by: batch)))
  func `random events never break the rules of the replica guide`(first: Int) {
    for seed in first..<first + Self.batch {
      do {
        try AudienceSimulation(seed: UInt64(seed)).run(steps: 50, rounds: 1)
      } catch {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test(arguments: Array(stride(from: seeds, to: 2 * seeds, by: batch)))
  func `killed services and lost messages never break the rules of the replica guide`(first: Int) {
    for seed in first..<first + Self.batch {
      do {
        try AudienceSimulation(seed: UInt64(seed), isRough: true).run(steps: 60, rounds: 2)
      } catch {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test(arguments: SimulatedGateway.Fault.allCases) func `the simulation detects a broken rule`(
    fault: SimulatedGateway.Fault
  ) {
    let isNoticed = (0..<200).contains { seed in
      do {
        try AudienceSimulation(seed: UInt64(seed), fault: fault).run(steps: 60, rounds: 2)
        return false
      } catch { return true }
    }
    #expect(isNoticed)
  }
}
