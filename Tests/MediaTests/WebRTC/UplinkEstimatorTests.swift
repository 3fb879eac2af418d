import RTP
import TestSupport
import Testing

@testable import Media

/// Tests of the estimate of a simulated link from a camera.
struct UplinkEstimatorTests {
  /// Where the estimator finds the times of sending.
  enum Clock: CaseIterable { case absoluteSendTime, timestamps }

  /// A camera of 25 frames a second that adapts to the estimate, and a link with a queue.
  private struct Camera {
    let clock: Clock
    var capacity: Int
    var lossPercent = 0
    var estimator = UplinkEstimator()
    var random = SeededGenerator(seed: 7)

    private var queueEnd: Int64 = 0
    private var sequence = SequenceNumber(65_000)
    private var frame = 0

    /// The highest bitrate of the camera, in bit/s.
    private static let most = 1_500_000

    init(_ clock: Clock, capacity: Int) { (self.clock, self.capacity) = (clock, capacity) }

    /// Sends frames, and returns the longest queue, in microseconds.
    @discardableResult
    mutating func send(seconds: Int) -> Int64 {
      var longest: Int64 = 0
      for _ in 0..<seconds * 25 { longest = max(longest, sendFrame()) }
      return longest
    }

    private mutating func sendFrame() -> Int64 {
      let start = Int64(frame) * 40_000
      let bytes = min(Self.most, estimator.bitsPerSecond) / 25 / 8
      let packets = max(1, (bytes + 1_199) / 1_200)
      var longest: Int64 = 0
      for index in 0..<packets {
        let sent = start + Int64(index) * 1_000
        queueEnd = max(queueEnd, sent) + Int64(bytes / packets) * 8_000_000 / Int64(capacity)
        longest = max(longest, queueEnd - sent)
        sequence = sequence.advanced(by: 1)
        guard Int.random(in: 0..<100, using: &random) >= lossPercent else { continue }
        receive(bytes / packets, sent: sent)
      }
      frame += 1
      return longest
    }

    private mutating func receive(_ bytes: Int, sent: Int64) {
      let ticks = (sent + 60_000_000) * (1 << 18) / 1_000_000
      estimator.receive(
        ssrc: 5, sequence, bytes: bytes,
        absoluteSendTime: clock == .absoluteSendTime ? UInt32(ticks & 0xFF_FFFF) : nil,
        videoTimestamp: UInt32(truncatingIfNeeded: frame * 3_600 - 100_000),
        at: MonotonicTime(microseconds: queueEnd + 30_000))
    }
  }

  @Test(arguments: Clock.allCases)
  func `a link without a queue does not limit the camera`(clock: Clock) {
    var camera = Camera(clock, capacity: 4_000_000)
    camera.send(seconds: 90)
    #expect(camera.estimator.bitsPerSecond == UplinkEstimator.unlimited)
  }

  @Test(arguments: Clock.allCases)
  func `the estimate falls below the capacity of a slow link, and later rises`(clock: Clock) {
    var camera = Camera(clock, capacity: 600_000)
    camera.send(seconds: 10)
    let longest = camera.send(seconds: 60)
    #expect(longest < 350_000)
    #expect((350_000...700_000).contains(camera.estimator.bitsPerSecond))
    camera.capacity = 4_000_000
    camera.send(seconds: 30)
    #expect(camera.estimator.bitsPerSecond > 1_500_000)
  }

  @Test(arguments: [(5, 20_000_000...20_000_000), (30, 100_000...400_000)])
  func `only heavy losses lower the estimate`(percent: Int, expected: ClosedRange<Int>) {
    var camera = Camera(.absoluteSendTime, capacity: 10_000_000)
    camera.send(seconds: 2)
    camera.lossPercent = percent
    camera.send(seconds: 20)
    #expect(expected.contains(camera.estimator.bitsPerSecond))
  }

  @Test func `random clocks and sequence numbers leave the estimate within its bounds`() {
    var estimator = UplinkEstimator()
    var random = SeededGenerator(seed: 3)
    for packet in 0..<20_000 {
      let word = UInt32.random(in: 0 ... .max, using: &random)
      estimator.receive(
        ssrc: UInt32(packet % 40), SequenceNumber(UInt16(truncatingIfNeeded: word >> 3)),
        bytes: 1_000, absoluteSendTime: packet % 3 == 0 ? word & 0xFF_FFFF : nil,
        videoTimestamp: packet % 3 == 1 ? word : nil,
        at: MonotonicTime(microseconds: Int64(packet) * 5_000))
      let bounds = UplinkEstimator.floor...UplinkEstimator.unlimited
      #expect(bounds.contains(estimator.bitsPerSecond))
    }
  }
}
