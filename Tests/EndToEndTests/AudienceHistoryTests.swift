import TestSupport
import Testing

extension EndToEnd {
  /// Tests of random histories of audiences with real processes. `ReplicaTests` runs thousands of
  /// such histories in one process, with the services' state machines and without their sockets.
  struct AudienceHistoryTests {
    @Test(arguments: 1...5)
    func `the guarantees of the guide on replica meetings hold in random histories`(
      seed: UInt64
    ) async throws {
      try await Installation.run { installation in
        let audience = try await Audience.make(2, in: installation)
        var history = try await AudienceHistory(of: audience, seed: seed)
        do {
          try await history.run(steps: 20)
        } catch {
          await history.close()
          throw error
        }
        await history.close()
      }
    }
  }
}
