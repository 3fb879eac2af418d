/// The arrival times of a connection's packets in all streams, for ``CongestionFeedback``.
///
/// The log keeps the newest packets of ``mostStreams`` streams. A further stream replaces the
/// stream whose last packet is oldest. The log allocates nothing once each stream has appeared.
public struct ArrivalLog: Sendable {
  private struct Stream: Sendable {
    let ssrc: UInt32

    /// The highest number received, unwrapped.
    var highest: Int64

    /// The lowest number received since the last feedback message; `nil` if no packet arrived.
    var lowestFresh: Int64?
    var lastArrival: Int64

    /// The packets with their arrival times. A packet's index is its number modulo the window.
    var packets: [(number: Int64, at: Int64)]
  }

  /// The maximum number of streams that the log keeps.
  public static let mostStreams = 64

  /// The maximum number of packets of a stream in one feedback message.
  static let window = 256

  private var streams: [Stream] = []
  private var lastIndex = 0

  /// The number of packets received since the last feedback message.
  public private(set) var freshPackets = 0

  /// Creates an empty log.
  public init() {}

  /// Records the arrival of a packet.
  public mutating func receive(_ ssrc: UInt32, _ sequence: SequenceNumber, at now: MonotonicTime) {
    let index = index(of: ssrc, sequence, at: now)
    let highest = streams[index].highest
    let last = SequenceNumber(UInt16(truncatingIfNeeded: highest))
    let number = highest + Int64(last.distance(to: sequence))
    // A packet that is too old for a report does not count.
    guard number > highest - Int64(Self.window) else { return }
    streams[index].highest = max(highest, number)
    streams[index].lastArrival = now.microseconds
    streams[index].packets[Int(number & Int64(Self.window - 1))] = (number, now.microseconds)
    streams[index].lowestFresh = streams[index].lowestFresh.map { min($0, number) } ?? number
    freshPackets += 1
  }

  private mutating func index(
    of ssrc: UInt32, _ sequence: SequenceNumber, at now: MonotonicTime
  ) -> Int {
    if lastIndex < streams.count, streams[lastIndex].ssrc == ssrc { return lastIndex }
    if let known = streams.firstIndex(where: { $0.ssrc == ssrc }) {
      lastIndex = known
      return known
    }
    let stream = Stream(
      ssrc: ssrc, highest: Int64(sequence.rawValue) + 1 << 32, lowestFresh: nil,
      lastArrival: now.microseconds, packets: Array(repeating: (-1, 0), count: Self.window))
    let oldest = streams.indices.min { streams[$0].lastArrival < streams[$1].lastArrival }
    if streams.count == Self.mostStreams, let oldest {
      streams[oldest] = stream
      lastIndex = oldest
    } else {
      streams.append(stream)
      lastIndex = streams.count - 1
    }
    return lastIndex
  }

  /// Writes a feedback message on the packets that arrived since the last feedback message. Writes
  /// nothing if no packet arrived.
  ///
  /// - Parameters:
  ///   - sender: The SSRC of the reporting receiver.
  ///   - limit: The maximum number of bytes to write. Streams that do not fit follow in the next
  ///     feedback message.
  public mutating func takeFeedback(
    sender: UInt32, at now: MonotonicTime, within limit: Int, into writer: inout RTCPWriter
  ) {
    guard freshPackets > 0 else { return }
    let start = writer.beginCongestionFeedback(sender: sender)
    freshPackets = 0
    for index in streams.indices {
      guard let fresh = streams[index].lowestFresh else { continue }
      let first = max(fresh, streams[index].highest - Int64(Self.window) + 1)
      let count = Int(streams[index].highest - first) + 1
      guard writer.bytes.count - start + 16 + 2 * count <= limit else {
        freshPackets += 1
        continue
      }
      write(streams[index], from: first, count, at: now, into: &writer)
      streams[index].lowestFresh = nil
    }
    writer.endCongestionFeedback(start, at: now)
  }

  private func write(
    _ stream: Stream, from first: Int64, _ count: Int, at now: MonotonicTime,
    into writer: inout RTCPWriter
  ) {
    writer.beginStream(
      stream.ssrc, first: SequenceNumber(UInt16(truncatingIfNeeded: first)), count: count)
    for number in first..<first + Int64(count) {
      let packet = stream.packets[Int(number & Int64(Self.window - 1))]
      let isHere = packet.number == number
      writer.addArrival(age: isHere ? now.microseconds - packet.at : nil)
    }
    if count % 2 == 1 { writer.fillStream() }
  }
}
