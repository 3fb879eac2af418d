/// When the packets of all streams of one connection came, for what the other side is told of it
/// (``CongestionFeedback``).
///
/// Keeps the last packets of so many streams as ``mostStreams`` says; one more takes the place of
/// the one that has been silent for longest. Allocates nothing once each stream has come.
public struct ArrivalLog: Sendable {
  private struct Stream: Sendable {
    let ssrc: UInt32

    /// The highest number that came, unwrapped.
    var highest: Int64

    /// The lowest number that came since the last feedback; `nil`: none did.
    var lowestFresh: Int64?
    var lastArrival: Int64

    /// When a packet came, at the place of its number, with that number.
    var packets: [(number: Int64, at: Int64)]
  }

  /// Streams that are remembered.
  public static let mostStreams = 64

  /// Packets of a stream that one feedback tells of.
  static let window = 256

  private var streams: [Stream] = []
  private var lastIndex = 0

  /// Packets that came since the last feedback.
  public private(set) var freshPackets = 0

  /// Makes one that knows of nothing.
  public init() {}

  /// A packet came.
  public mutating func receive(_ ssrc: UInt32, _ sequence: SequenceNumber, at now: MediaTime) {
    let index = index(of: ssrc, sequence, at: now)
    let highest = streams[index].highest
    let last = SequenceNumber(UInt16(truncatingIfNeeded: highest))
    let number = highest + Int64(last.distance(to: sequence))
    // Too old to be told of.
    guard number > highest - Int64(Self.window) else { return }
    streams[index].highest = max(highest, number)
    streams[index].lastArrival = now.microseconds
    streams[index].packets[Int(number & Int64(Self.window - 1))] = (number, now.microseconds)
    streams[index].lowestFresh = streams[index].lowestFresh.map { min($0, number) } ?? number
    freshPackets += 1
  }

  private mutating func index(
    of ssrc: UInt32, _ sequence: SequenceNumber, at now: MediaTime
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

  /// Writes what came since the last time; nothing if nothing did.
  ///
  /// - Parameters:
  ///   - sender: The SSRC of who tells it.
  ///   - limit: The bytes that it may have; streams that do not fit come the next time.
  public mutating func takeFeedback(
    sender: UInt32, at now: MediaTime, within limit: Int, into writer: inout RTCPWriter
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
    _ stream: Stream, from first: Int64, _ count: Int, at now: MediaTime,
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
