/// The streams of one direction by SSRC, limited so that a peer cannot fill memory.
///
/// The table adds a stream at the stream's first authenticated packet. A full table evicts the
/// stream whose last packet is oldest, and remembers that stream's SSRC and highest index. When the
/// stream returns, its roll-over counter continues, and every packet up to the remembered index is
/// too old. So the table never accepts a packet twice. The table also limits the number of
/// remembered streams. At the limit, the table admits no further SSRC. Each stream uses up to 152
/// bytes, and each evicted stream about 32 bytes.
struct SRTPStreamTable: Sendable {
  /// The number of evicted streams that the table remembers, as a multiple of the table's capacity.
  static let departedPerStream = 8

  private struct Stream {
    var window: ReplayWindow
    /// The number of packets that the table had recorded when the last packet of this stream
    /// arrived.
    var lastUse: UInt64
  }

  /// The maximum number of streams in the table.
  let capacity: Int

  // This array is separate from `streams`, so that a search reads only 4 bytes for each stream.
  private var ssrcs: [UInt32] = []
  private var streams: [Stream] = []
  private var departed: [UInt32: UInt64] = [:]
  private var uses: UInt64 = 0

  /// - Parameter capacity: The maximum number of streams in the table, at least 1.
  init(capacity: Int) {
    precondition(capacity > 0, "A table of streams holds one at least.")
    self.capacity = capacity
  }

  /// The number of streams in the table.
  var count: Int { streams.count }

  /// The number of evicted streams that the table remembers.
  var departedCount: Int { departed.count }

  /// Returns the highest index of a stream in the table, or of an evicted stream; `nil` if the
  /// stream is unknown.
  func highestIndex(of ssrc: UInt32) -> UInt64? {
    position(of: ssrc).map { streams[$0].window.highest } ?? departed[ssrc]
  }

  /// Returns the verdict on a packet without recording it.
  func verdict(on index: UInt64, of ssrc: UInt32) -> ReplayWindow.Verdict {
    if let position = position(of: ssrc) { return streams[position].window.verdict(on: index) }
    guard let highest = departed[ssrc] else { return .new }
    return index > highest ? .new : .tooOld
  }

  /// Returns whether the table has room to record a packet of this SSRC.
  func admits(_ ssrc: UInt32) -> Bool {
    position(of: ssrc) != nil || streams.count < capacity || departed[ssrc] != nil
      || departed.count < Self.departedPerStream * capacity
  }

  /// Records an authentic packet whose verdict is `new` and whose SSRC the table admits.
  mutating func record(_ index: UInt64, of ssrc: UInt32) {
    uses += 1
    if let position = position(of: ssrc) {
      streams[position].window.record(index)
      streams[position].lastUse = uses
    } else {
      enter(Stream(window: ReplayWindow(first: index), lastUse: uses), as: ssrc)
    }
  }

  private mutating func enter(_ stream: Stream, as ssrc: UInt32) {
    departed[ssrc] = nil
    guard streams.count == capacity, let position = leastRecentlyUsed else {
      ssrcs.append(ssrc)
      streams.append(stream)
      return
    }
    departed[ssrcs[position]] = streams[position].window.highest
    ssrcs[position] = ssrc
    streams[position] = stream
  }

  private var leastRecentlyUsed: Int? {
    streams.indices.min { streams[$0].lastUse < streams[$1].lastUse }
  }

  // This code uses `while`, because `firstIndex` allocates in a debug build, and tests check the
  // packet path in debug builds.
  private func position(of ssrc: UInt32) -> Int? {
    var position = 0
    while position < ssrcs.count {
      if ssrcs[position] == ssrc { return position }
      position += 1
    }
    return nil
  }
}
