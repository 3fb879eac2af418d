/// The streams of one direction by SSRC, bounded so that a peer cannot fill it.
///
/// A stream enters when a packet of it was authenticated. When the table is full, the stream whose
/// last packet is the longest ago leaves. Its SSRC and its highest index are remembered: when the
/// stream returns, its roll-over counter goes on, and every packet up to that index is too old. So
/// no packet is accepted twice. What is remembered is bounded, too: beyond that, the table admits
/// no further SSRC. Memory grows with the streams, up to 152 bytes for each stream and about 32
/// bytes for each that left.
struct StreamTable: Sendable {
  /// For each stream in the table, so many that left it are remembered.
  static let departedPerStream = 8

  private struct Stream {
    var window: ReplayWindow
    /// The table's count of packets when this stream had its last one.
    var lastUse: UInt64
  }

  /// The most streams that the table holds.
  let capacity: Int

  // Beside `streams`: a search reads 4 bytes for each stream.
  private var ssrcs: [UInt32] = []
  private var streams: [Stream] = []
  private var departed: [UInt32: UInt64] = [:]
  private var uses: UInt64 = 0

  /// - Parameter capacity: At least 1.
  init(capacity: Int) {
    precondition(capacity > 0, "A table of streams holds one at least.")
    self.capacity = capacity
  }

  /// How many streams the table holds.
  var count: Int { streams.count }

  /// How many streams left the table and are remembered.
  var departedCount: Int { departed.count }

  /// The highest index of a stream, also of one that left; `nil` if it is unknown.
  func highestIndex(of ssrc: UInt32) -> UInt64? {
    position(of: ssrc).map { streams[$0].window.highest } ?? departed[ssrc]
  }

  /// Judges a packet without recording it.
  func verdict(on index: UInt64, of ssrc: UInt32) -> ReplayWindow.Verdict {
    if let position = position(of: ssrc) { return streams[position].window.verdict(on: index) }
    guard let highest = departed[ssrc] else { return .new }
    return index > highest ? .new : .tooOld
  }

  /// Whether a packet of this SSRC can be recorded.
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

  // Written out because `firstIndex` allocates in a debug build, where the packet path is tested.
  private func position(of ssrc: UInt32) -> Int? {
    var position = 0
    while position < ssrcs.count {
      if ssrcs[position] == ssrc { return position }
      position += 1
    }
    return nil
  }
}
