/// The newest packet indices of one stream, so that the receiver accepts no packet twice (RFC 3711,
/// section 3.3.2).
///
/// The window contains 1,024 indices; RFC 3711 requires at least 64. Video at 4 Mbit/s has about
/// 400 packets/s, so 1,024 indices cover 2.5 s. A packet that arrives 2.5 s late is no longer
/// useful. The window takes 128 bytes for each stream.
struct ReplayWindow: Sendable {
  /// The number of indices in the window, including the highest index.
  static let count: UInt64 = 1_024

  /// The state of an index.
  enum Verdict: Hashable {
    /// No recorded packet has the index.
    case new
    /// A recorded packet has the index.
    case seen
    /// The index is older than the window.
    case tooOld
  }

  /// The highest recorded index.
  private(set) var highest: UInt64

  /// The bits of the window.
  ///
  /// Bit `index % 1,024` is 1 for a recorded index.
  private var words = InlineArray<16, UInt64>(repeating: 0)

  /// Records the first index of a stream.
  init(first index: UInt64) {
    highest = index
    mark(index)
  }

  /// Returns the state of an index without recording it.
  func verdict(on index: UInt64) -> Verdict {
    if index > highest { return .new }
    if highest - index >= Self.count { return .tooOld }
    return isMarked(index) ? .seen : .new
  }

  /// Records an index whose verdict is `new`.
  mutating func record(_ index: UInt64) {
    if index > highest { advance(to: index) }
    mark(index)
  }

  private mutating func advance(to index: UInt64) {
    if index - highest >= Self.count {
      words = InlineArray(repeating: 0)
    } else {
      unmark(from: highest + 1, through: index)
    }
    highest = index
  }

  // This code uses `while`, because `for` allocates in a debug build, and tests check the packet
  // path in debug builds.
  private mutating func unmark(from first: UInt64, through last: UInt64) {
    var index = first
    while index <= last {
      words[Self.word(of: index)] &= ~Self.bit(of: index)
      index += 1
    }
  }

  private func isMarked(_ index: UInt64) -> Bool {
    words[Self.word(of: index)] & Self.bit(of: index) != 0
  }

  private mutating func mark(_ index: UInt64) {
    words[Self.word(of: index)] |= Self.bit(of: index)
  }

  private static func word(of index: UInt64) -> Int { Int(index % count / 64) }

  private static func bit(of index: UInt64) -> UInt64 { 1 << (index % 64) }
}
