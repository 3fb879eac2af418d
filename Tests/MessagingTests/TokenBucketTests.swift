import MeetingModel
import Testing

@testable import Messaging

@Suite struct TokenBucketTests {
  /// Returns the answers of an initially full bucket to requests for one token at these times.
  private func waits(
    _ limit: RateLimit, at times: [Int64], from start: UInt64 = start
  ) -> [UInt64?] {
    var bucket = TokenBucket(limit, at: start)
    return times.map { bucket.take(at: start.advanced(by: Int($0))) }
  }

  @Test func `a bucket grants its whole burst immediately and then refills steadily`() {
    let limit = RateLimit(perSecond: 100, burst: 3)
    #expect(
      waits(limit, at: [0, 0, 0, 0, 9, 10, 10, 1_010])
        == [nil, nil, nil, 10, 1, nil, 10, nil])
  }

  @Test func `an empty bucket returns the shortest sufficient wait`() {
    let limit = RateLimit(perSecond: 300, burst: 1)
    #expect(waits(limit, at: [0, 0, 3, 4]) == [nil, 4, 1, nil])
  }

  @Test func `a clock that is set back neither adds nor removes tokens`() {
    let limit = RateLimit(perSecond: 10, burst: 1)
    #expect(waits(limit, at: [0, -60_000, 99, 100]) == [nil, 100, 1, nil])
  }

  @Test func `a bucket refills up to its burst and no further`() {
    let limit = RateLimit(perSecond: 1_000_000, burst: 2)
    #expect(waits(limit, at: [0, 0, .max, .max, .max], from: 0) == [nil, nil, nil, nil, 1])
    var bucket = TokenBucket(limit, at: 0)
    #expect(bucket.isFull(at: 0))
    _ = bucket.take(at: 0)
    #expect(!bucket.isFull(at: 0))
    #expect(bucket.isFull(at: .max))
  }
}
