import MeetingModel
import Testing

@Suite struct ProcessStallDetectorTests {
  private let start = ContinuousClock.now

  private func watch() -> ProcessStallDetector {
    ProcessStallDetector(interval: .seconds(1), at: start)
  }

  /// Calls `look(at:)` at these times, in milliseconds from the start, and returns the results.
  private func looks(at moments: [Int]) -> [Duration] {
    var watch = watch()
    return moments.map { watch.look(at: start + .milliseconds($0)) }
  }

  @Test func `a check that is on time or tolerably late is not a stall`() {
    #expect(looks(at: [0, 1_000, 2_500, 2_501, 4_001]).allSatisfy { $0 == .zero })
  }

  @Test func `a check that is too late returns, once, the time since the previous check`() {
    #expect(looks(at: [1_000, 2_501]) == [.zero, .milliseconds(1_501)])
    #expect(looks(at: [400, 10_400, 10_400, 11_400]) == [.zero, .seconds(10), .zero, .zero])
  }

  @Test func `each of several stalls is returned separately`() {
    #expect(
      looks(at: [5_000, 5_500, 9_500, 10_000])
        == [.seconds(5), .zero, .seconds(4), .zero])
  }

  @Test func `checks that are more frequent than the interval find the whole stall`() {
    let often = stride(from: 0, through: 2_000, by: 10).map(\.self) + [12_000, 12_010]
    #expect(looks(at: often).filter { $0 != .zero } == [.seconds(10)])
  }

  @Test func `a check at an earlier time than the previous check finds no stall`() {
    #expect(looks(at: [1_000, 500, 1_900, 3_401]) == [.zero, .zero, .zero, .milliseconds(1_501)])
  }

  @Test func `a stall does not shorten the remaining time of a timeout`() {
    var watch = watch()
    _ = watch.look(at: start + .seconds(1))
    let lastHeard = start + .milliseconds(800)
    let now = start + .seconds(31)
    let judged = lastHeard + watch.look(at: now)
    #expect(now - judged == .milliseconds(200))
  }

  @Test func `a stall detector without an interval stops the process`() async {
    await #expect(processExitsWith: .failure) {
      _ = ProcessStallDetector(interval: .zero, at: .now)
    }
  }
}
