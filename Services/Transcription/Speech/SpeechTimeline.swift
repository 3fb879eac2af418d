/// The mapping from one talker's samples to time.
///
/// Samples are counted without the silence between them. An anchor holds the time of the first
/// sample after each pause.
struct SpeechTimeline: Sendable, Hashable {
  /// The number of samples per millisecond.
  static let samplesPerMillisecond: UInt64 = 16

  /// Returns the duration of a number of samples.
  static func duration(ofSamples count: UInt64) -> Duration {
    .milliseconds(Int64(clamping: count)) / Int64(samplesPerMillisecond)
  }

  private struct Anchor: Sendable, Hashable {
    let sample: UInt64
    let milliseconds: UInt64
  }

  /// The position of the next sample.
  private(set) var next: UInt64 = 0

  /// The anchors, oldest first, in ascending order of samples.
  private var anchors: [Anchor] = []

  /// The difference of clocks that is ignored, in milliseconds.
  private static let tolerance: UInt64 = 60

  private static let mostAnchors = 256

  /// Assigns positions to the next samples.
  ///
  /// - Parameters:
  ///   - start: The time of the first sample, in milliseconds of epoch time.
  ///   - count: The number of samples.
  ///   - lost: The milliseconds of speech that are missing before them.
  /// - Returns: The position of the first sample.
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

  /// The maximum length of one loss, in milliseconds: a day.
  private static let longestLoss: UInt64 = 86_400_000

  /// Returns the time of a sample, in milliseconds of epoch time.
  func milliseconds(at sample: UInt64) -> UInt64 {
    time(of: sample, from: anchors.last { $0.sample <= sample })
  }

  /// Returns the time of the end of speech before a sample, without a pause that follows the
  /// speech.
  func milliseconds(endingAt sample: UInt64) -> UInt64 {
    time(of: sample, from: anchors.last { $0.sample < sample })
  }

  private func time(of sample: UInt64, from anchor: Anchor?) -> UInt64 {
    guard let anchor = anchor ?? anchors.first else { return 0 }
    // Samples before the oldest anchor get its time.
    let behind = sample > anchor.sample ? sample - anchor.sample : 0
    return anchor.milliseconds + behind / Self.samplesPerMillisecond
  }
}
