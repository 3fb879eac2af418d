import MeetingModel
import Testing

@Suite struct StallWatchTests {
  private let start = ContinuousClock.now

  private func watch() -> StallWatch { StallWatch(interval: .seconds(1), at: start) }

  /// Calls `look(at:)` at these times, in milliseconds from the start, and returns the results.
  private func looks(at moments: [Int]) -> [Duration] {
    var watch = watch()
    return moments.map { watch.look(at: start + .milliseconds($0)) }
  }

  @Test func `looks in time, or late within the tolerance, are no stall`() {
    #expect(looks(at: [0, 1_000, 2_500, 2_501, 4_001]).allSatisfy { $0 == .zero })
  }

  @Test func `a look beyond the tolerance answers all the time since the last one, once`() {
    #expect(looks(at: [1_000, 2_501]) == [.zero, .milliseconds(1_501)])
    #expect(looks(at: [400, 10_400, 10_400, 11_400]) == [.zero, .seconds(10), .zero, .zero])
  }

  @Test func `several stalls are answered each by itself`() {
    #expect(
      looks(at: [5_000, 5_500, 9_500, 10_000])
        == [.seconds(5), .zero, .seconds(4), .zero])
  }

  @Test func `looks more often than the interval find the same stall`() {
    let often = stride(from: 0, through: 2_000, by: 10).map(\.self) + [12_000, 12_010]
    #expect(looks(at: often).filter { $0 != .zero } == [.seconds(10)])
  }

  @Test func `a moment before the last look is no stall and takes nothing back`() {
    #expect(looks(at: [1_000, 500, 1_900, 3_401]) == [.zero, .zero, .zero, .milliseconds(1_501)])
  }

  @Test func `whoever was in time at the last look keeps the time it had left`() {
    var watch = watch()
    _ = watch.look(at: start + .seconds(1))
    let lastHeard = start + .milliseconds(800)
    let now = start + .seconds(31)
    let judged = lastHeard + watch.look(at: now)
    #expect(now - judged == .milliseconds(200))
  }

  @Test func `a watch without an interval is a mistake`() async {
    await #expect(processExitsWith: .failure) {
      _ = StallWatch(interval: .zero, at: .now)
    }
  }
}
