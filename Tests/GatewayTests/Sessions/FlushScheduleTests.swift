import Testing

@testable import Gateway

@Suite struct FlushScheduleTests {
  private var pace = FlushSchedule()
  private let start = ContinuousClock.now

  private mutating func write(_ items: Int, to sessions: Int, taking duration: Duration) {
    pace.begin(items: items, sessions: sessions, at: start - duration)
    pace.end(at: start)
  }

  private mutating func hold(_ items: Int, after duration: Duration) -> Duration? {
    pace.hold(items: items, at: start + duration).map { $0 - start }
  }

  @Test mutating func `a single event is written immediately`() {
    write(100, to: 100, taking: .milliseconds(1))
    #expect(hold(100, after: .zero) == nil)
  }

  @Test mutating func `after a burst, the next events wait while more events arrive`() {
    write(400, to: 100, taking: .milliseconds(2))
    #expect(hold(100, after: .microseconds(100)) == .microseconds(600))
    #expect(hold(200, after: .microseconds(400)) == .microseconds(900))
    #expect(hold(200, after: .microseconds(899)) == .microseconds(900))
    #expect(hold(200, after: .microseconds(900)) == nil)
  }

  @Test mutating func `events wait at most four times as long as the writing of events took`() {
    write(400, to: 100, taking: .milliseconds(2))
    for turn in 0..<20 { _ = hold(100 * turn, after: .microseconds(400 * turn)) }
    #expect(hold(2_000, after: .microseconds(7_900)) == .milliseconds(8))
    #expect(hold(2_100, after: .milliseconds(8)) == nil)
  }

  @Test mutating func `events wait for the shortest quiet time even if writing took no time`() {
    write(800, to: 100, taking: .microseconds(200))
    #expect(hold(100, after: .zero) == FlushSchedule.shortestQuiet)
  }

  @Test mutating func `no event waits longer than the longest hold time`() {
    write(800, to: 100, taking: .seconds(8))
    #expect(hold(100, after: .zero) == FlushSchedule.longestHold)
  }

  @Test mutating func `a turn in which nothing is written does not change the pause`() {
    write(800, to: 100, taking: .milliseconds(2))
    pace.end(at: start + .milliseconds(3))
    #expect(hold(100, after: .microseconds(100)) == .microseconds(400))
  }

  @Test mutating func `after a write of a single event, later events are not held back`() {
    write(800, to: 100, taking: .milliseconds(2))
    write(100, to: 100, taking: .milliseconds(1))
    #expect(hold(100, after: .zero) == nil)
  }
}
