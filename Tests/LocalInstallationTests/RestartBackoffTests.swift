import Testing

@testable import LocalInstallation
@testable import Output

@Suite struct RestartBackoffTests {
  @Test func `the first restart is immediate and later restarts wait longer and longer`() {
    var backoff = RestartBackoff()
    let pauses = (0..<8).map { _ in backoff.pause(afterLivingFor: .seconds(1)).milliseconds }
    #expect(pauses == [0, 200, 400, 800, 1600, 3200, 5000, 5000])
  }

  @Test func `a service that ran for ten seconds restarts without delay`() {
    var backoff = RestartBackoff()
    for _ in 0..<5 { _ = backoff.pause(afterLivingFor: .milliseconds(9999)) }
    #expect(backoff.pause(afterLivingFor: .seconds(10)) == .zero)
    #expect(backoff.pause(afterLivingFor: .seconds(1)) == .milliseconds(200))
  }
}
