import RTP
import Testing

@Suite struct LossTrackerTests {
  private func time(_ milliseconds: Int64) -> MonotonicTime {
    MonotonicTime(microseconds: milliseconds * 1_000)
  }

  private func receive(
    _ number: UInt16, at milliseconds: Int64, by tracker: inout LossTracker
  ) -> LossTracker.Arrival {
    tracker.receive(SequenceNumber(number), at: time(milliseconds))
  }

  private func due(
    _ tracker: inout LossTracker, at milliseconds: Int64, roundTrip: Int64 = 0
  ) -> [UInt16] {
    var numbers: [SequenceNumber] = []
    _ = tracker.takeDue(at: time(milliseconds), roundTrip: roundTrip, into: &numbers)
    return numbers.map(\.rawValue)
  }

  @Test func `a missing packet is requested after a short wait and again later`() {
    var tracker = LossTracker()
    #expect(receive(65_534, at: 0, by: &tracker) == .next(missing: 0))
    #expect(receive(1, at: 0, by: &tracker) == .next(missing: 2))
    #expect(due(&tracker, at: 5) == [])
    #expect(due(&tracker, at: 10) == [65_535, 0])
    #expect(due(&tracker, at: 30) == [])
    #expect(receive(0, at: 40, by: &tracker) == .recovered)
    #expect(receive(0, at: 40, by: &tracker) == .repeated)
    #expect(due(&tracker, at: 50) == [65_535])
    #expect(tracker.count == 1)
  }

  @Test func `after a long round trip, lost packets are requested less often`() {
    var tracker = LossTracker()
    _ = tracker.receive(SequenceNumber(0), at: time(0))
    _ = tracker.receive(SequenceNumber(2), at: time(0))
    #expect(due(&tracker, at: 10, roundTrip: 100_000) == [1])
    #expect(due(&tracker, at: 100, roundTrip: 100_000) == [])
    #expect(due(&tracker, at: 110, roundTrip: 100_000) == [1])
  }

  @Test func `the tracker gives up on a packet after several requests`() {
    var tracker = LossTracker()
    _ = tracker.receive(SequenceNumber(0), at: time(0))
    _ = tracker.receive(SequenceNumber(2), at: time(0))
    var asked = 0
    for now in stride(from: Int64(0), to: 1_000, by: 5) {
      asked += due(&tracker, at: now).count
    }
    #expect(asked == tracker.rules.attempts)
    #expect(tracker.count == 0)
    #expect(tracker.givenUp == 1)
  }

  @Test func `the tracker gives up immediately if too many packets are missing`() {
    var tracker = LossTracker()
    _ = tracker.receive(SequenceNumber(0), at: time(0))
    #expect(receive(500, at: 0, by: &tracker) == .next(missing: 499))
    #expect(tracker.count == 0)
    #expect(tracker.givenUp == 499)
    #expect(receive(20_000, at: 0, by: &tracker) == .restarted)
  }

  @Test func `a restarted tracker forgets all earlier numbers`() {
    var tracker = LossTracker()
    #expect(receive(5_000, at: 0, by: &tracker) == .next(missing: 0))
    #expect(receive(5_002, at: 0, by: &tracker) == .next(missing: 1))
    #expect(receive(4_000, at: 0, by: &tracker) == .repeated)
    tracker.restart()
    #expect(tracker.count == 0)
    #expect(receive(4_000, at: 0, by: &tracker) == .next(missing: 0))
    #expect(receive(4_002, at: 0, by: &tracker) == .next(missing: 1))
    #expect(due(&tracker, at: 10) == [4_001])
  }

  @Test func `packets before the first packet are requested, but never count as given up`() {
    var tracker = LossTracker()
    #expect(receive(1, at: 0, by: &tracker) == .next(missing: 0))
    tracker.expect(3, beforeFirst: SequenceNumber(1), at: time(0))
    #expect(due(&tracker, at: 10) == [65_534, 65_535, 0])
    #expect(receive(65_535, at: 20, by: &tracker) == .recovered)
    #expect(due(&tracker, at: 50) == [65_534, 0])
    #expect(due(&tracker, at: 700) == [])
    #expect(tracker.count == 0)
    #expect(tracker.givenUp == 0)
  }

  @Test func `after the start of a key frame, only the packets behind it are missing`() {
    var tracker = LossTracker()
    #expect(receive(104, at: 0, by: &tracker) == .next(missing: 0))
    tracker.expect(4, beforeFirst: SequenceNumber(104), at: time(0))
    #expect(receive(102, at: 5, by: &tracker) == .recovered)
    tracker.begin(with: SequenceNumber(102))
    #expect(due(&tracker, at: 10) == [103])
    #expect(due(&tracker, at: 700) == [])
    #expect(tracker.givenUp == 1)
  }
}
