import RTP
import Testing

@Suite struct JitterBufferRetransmissionTests {
  /// A stream of 20 ms packets. The buffer does not play the stream yet.
  private struct Stream {
    var buffer = JitterBuffer()
    let first: UInt16

    init(first: UInt16 = 100) { self.first = first }

    mutating func put(_ number: Int, at milliseconds: Int64) {
      _ = buffer.put(
        [1, 2, 3].span, sequence: SequenceNumber(first &+ UInt16(number)),
        timestamp: UInt32(number * 960), sampleCount: 960, arrival: Self.time(milliseconds))
    }

    /// Returns the numbers to request, counted from the first packet.
    mutating func missing(within roundTripMs: Int64 = 0, at milliseconds: Int64) -> [UInt16] {
      var numbers: [SequenceNumber] = []
      buffer.takeMissing(
        within: roundTripMs * 1_000, at: Self.time(milliseconds), into: &numbers)
      return numbers.map { $0.rawValue &- first }
    }

    static func time(_ milliseconds: Int64) -> MonotonicTime {
      MonotonicTime(microseconds: milliseconds * 1_000)
    }
  }

  @Test(arguments: [UInt16(100), 65_534])
  func `a lost packet is requested once, 10 ms after the next packet has arrived`(first: UInt16) {
    var stream = Stream(first: first)
    for number in [0, 1, 4] { stream.put(number, at: Int64(number) * 20) }
    #expect(stream.missing(at: 85).isEmpty)
    #expect(stream.missing(at: 90) == [2, 3])
    stream.put(5, at: 100)
    #expect(stream.missing(at: 120).isEmpty)
  }

  @Test func `a lost packet is not requested when its retransmission would arrive too late`() {
    var stream = Stream()
    for number in [0, 2, 4] { stream.put(number, at: Int64(number) * 20) }
    // The buffer plays the first packet immediately, so the buffer must play the lost packets 20
    // and 60 ms later.
    #expect(stream.missing(within: 30, at: 100) == [3])
    #expect(stream.missing(within: 0, at: 100).isEmpty)
  }

  @Test func `a packet that another packet overtook is not requested`() {
    var stream = Stream()
    for number in [0, 2] { stream.put(number, at: Int64(number) * 20) }
    stream.put(1, at: 45)
    #expect(stream.missing(at: 60).isEmpty)
  }

  @Test func `a lost packet is not requested after its time of playout`() {
    var stream = Stream()
    for number in [0, 1, 3, 4, 5] { stream.put(number, at: Int64(number) * 20) }
    for tick in 0..<4 { _ = stream.buffer.pull(at: Stream.time(100 + 20 * Int64(tick))) }
    #expect(stream.missing(at: 180).isEmpty)
  }

  @Test func `an empty buffer or a muted stream requests no packets`() {
    var stream = Stream()
    #expect(stream.missing(at: 0).isEmpty)
    for number in [UInt16(1), 5] {
      stream.buffer.follow(
        sequence: SequenceNumber(number), timestamp: UInt32(number) * 960, arrival: Stream.time(0))
    }
    #expect(stream.missing(at: 100).isEmpty)
  }
}
