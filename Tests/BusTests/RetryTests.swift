import Bus
import MeetingModel
import Testing

@Suite struct RetryTests {
  private static let away = Status(.unavailable, "It restarts.")
  private let start = ContinuousClock.now

  @Test func `pauses double until they reach a maximum, and vary by at most a quarter`() throws {
    var retry = Retry(until: nil, pause: .milliseconds(50), longestPause: .milliseconds(200))
    for expected in [50, 100, 200, 200] {
      let next = retry.pause(after: Self.away, at: start)
      let pause = try #require(next)
      #expect(pause >= .milliseconds(expected) * 0.75)
      #expect(pause <= .milliseconds(expected) * 1.25)
    }
  }

  @Test func `two callers whose calls fail at the same time pause for different times`() {
    var (first, second) = (Retry(until: nil), Retry(until: nil))
    let pauses = (0..<10).map { _ in (first.nextPause(), second.nextPause()) }
    #expect(pauses.contains { $0 != $1 })
  }

  @Test(arguments: [StatusCode.unavailable, .aborted, .deadlineExceeded])
  func `a temporary failure is retried`(code: StatusCode) {
    var retry = Retry(until: nil)
    let pause = retry.pause(after: Status(code, "It may pass."), at: start)
    #expect(pause != nil)
  }

  @Test(arguments: [StatusCode.notFound, .invalidArgument, .cancelled, .failedPrecondition])
  func `a permanent failure is not retried`(code: StatusCode) {
    var retry = Retry(until: nil)
    let pause = retry.pause(after: Status(code, "It stays."), at: start)
    #expect(pause == nil)
  }

  @Test func `no attempt begins at or after the deadline`() {
    var retry = Retry(until: start + .milliseconds(30), pause: .milliseconds(50))
    let early = retry.pause(after: Self.away, at: start)
    let late = retry.pause(after: Self.away, at: start + .seconds(1))
    #expect(early == nil && late == nil)
  }
}
