import Testing

@testable import ServiceHost

@Suite(.timeLimit(.minutes(5))) struct HealthChecksTests {
  private struct Trouble: Error, CustomStringConvertible {
    let description: String
  }

  private let health = HealthChecks()

  @Test func `a process without health checks is ready`() async {
    #expect(await health.readiness() == .ready)
  }

  @Test func `readiness names every failing check, in order`() async {
    health.register("storage") { throw Trouble(description: "disk \"full\"") }
    health.register("bus") { throw Trouble(description: "not connected") }
    health.register("clock") {}
    let readiness = await health.readiness()
    #expect(
      readiness.json == #"{"status":"failing","failing":[{"check":"bus","reason":"not connected"},"#
        + #"{"check":"storage","reason":"disk \"full\""}]}"#)
  }

  @Test func `a check that does not answer in time fails`() async {
    health.register("bus", within: .zero) { try await Task.sleep(for: .seconds(3600)) }
    #expect(
      await health.readiness()
        == .failing([.init(check: "bus", reason: "no answer within 0.0 seconds")]))
  }

  @Test func `a check that hangs is not started a second time`() async {
    let (stuck, release) = AsyncStream.makeStream(of: Never.self)
    let (starts, started) = AsyncStream.makeStream(of: Void.self)
    health.register("bus", within: .zero) {
      started.yield()
      // This task ignores its cancellation, like a thread that hangs.
      await Task { for await _ in stuck {} }.value
    }
    guard case .failing = await health.readiness(),
      case .failing(let second) = await health.readiness()
    else {
      Issue.record("A hanging check passed.")
      return
    }
    #expect(second.first?.reason.contains("earlier run has not returned") == true)
    release.finish()
    started.finish()
    #expect(await starts.reduce(into: 0) { count, _ in count += 1 } == 1)
  }

  @Test func `a draining process is not ready even if all checks pass`() async {
    health.register("bus") {}
    health.beginDrain()
    #expect(health.isDraining)
    #expect(await health.readiness() == .draining)
  }

  @Test func `a second check with the same name stops the process`() async {
    await #expect(processExitsWith: .failure) {
      let health = HealthChecks()
      health.register("bus") {}
      health.register("bus") {}
    }
  }
}
