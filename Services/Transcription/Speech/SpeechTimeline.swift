/// Where the samples of one talker are in time.
///
/// Samples are counted without the silence between them; anchors say when the first sample behind
/// each pause was spoken.
struct SpeechTimeline: Sendable, Hashable {
  /// Samples of a millisecond.
  static let samplesPerMillisecond: UInt64 = 16

  /// How long so many samples take to say.
  static func duration(ofSamples count: UInt64) -> Duration {
    .milliseconds(Int64(clamping: count)) / Int64(samplesPerMillisecond)
  }

  private struct Anchor: Sendable, Hashable {
    let sample: UInt64
    let milliseconds: UInt64
  }

  /// The place of the sample that comes next.
  private(set) var next: UInt64 = 0

  /// Oldest first, each behind the one before it.
  private var anchors: [Anchor] = []

  /// Clocks that differ by less are taken to agree.
  private static let tolerance: UInt64 = 60

  private static let mostAnchors = 256

  /// Gives the next samples their place.
  ///
  /// - Parameters:
  ///   - start: When the first one was spoken, in milliseconds of epoch time.
  ///   - count: How many there are.
  ///   - lost: Milliseconds of speech that are missing in front of them.
  /// - Returns: The place of the first.
  mutating func place(start: UInt64, count: Int, lost: UInt64 = 0) -> UInt64 {
    next += min(lost, Self.longestLoss) * Self.samplesPerMillisecond
    let expected = anchors.isEmpty ? nil : milliseconds(at: next)
    if expected.map({ max($0, start) - min($0, start) > Self.tolerance }) ?? true {
      if anchors.last?.sample == next { anchors.removeLast() }
      anchors.append(Anchor(sample: next, milliseconds: start))
      if anchors.count > Self.mostAnchors { anchors.removeFirst() }
    }
    let first = next
    next += UInt64(count)
    return first
  }

  /// A day, in milliseconds: what a longer loss is cut to.
  private static let longestLoss: UInt64 = 86_400_000

  /// When a sample was spoken, in milliseconds of epoch time.
  func milliseconds(at sample: UInt64) -> UInt64 {
    time(of: sample, from: anchors.last { $0.sample <= sample })
  }

  /// When what ends before a sample had been spoken: a pause behind it does not count.
  func milliseconds(endingAt sample: UInt64) -> UInt64 {
    time(of: sample, from: anchors.last { $0.sample < sample })
  }

  private func time(of sample: UInt64, from anchor: Anchor?) -> UInt64 {
    guard let anchor = anchor ?? anchors.first else { return 0 }
    // Before the oldest anchor that is kept, times are those of its beginning.
    let behind = sample > anchor.sample ? sample - anchor.sample : 0
    return anchor.milliseconds + behind / Self.samplesPerMillisecond
  }
}
