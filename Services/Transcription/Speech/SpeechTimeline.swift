/// The mapping from one talker's samples to time.
///
/// The timeline counts only samples, and not the silence between samples. An anchor stores the time
/// of the first sample after each pause.
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

  /// The anchors, oldest first, by ascending sample.
  private var anchors: [Anchor] = []

  /// The timeline ignores a difference of up to this number of milliseconds between the expected
  /// start and the reported start of samples.
  private static let tolerance: UInt64 = 60

  private static let mostAnchors = 256

  /// Assigns positions to the next samples.
  ///
  /// - Parameters:
  ///   - start: The time of the first sample, in milliseconds since 1970.
  ///   - count: The number of samples.
  ///   - lost: The number of milliseconds of speech that are missing before these samples.
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

  /// Returns the time of a sample, in milliseconds since 1970.
  func milliseconds(at sample: UInt64) -> UInt64 {
    time(of: sample, from: anchors.last { $0.sample <= sample })
  }

  /// Returns the time at which speech before a sample ends, in milliseconds since 1970. The result
  /// does not include a pause directly before the sample.
  func milliseconds(endingAt sample: UInt64) -> UInt64 {
    time(of: sample, from: anchors.last { $0.sample < sample })
  }

  private func time(of sample: UInt64, from anchor: Anchor?) -> UInt64 {
    guard let anchor = anchor ?? anchors.first else { return 0 }
    // A sample before the oldest anchor gets the time of this anchor.
    let behind = sample > anchor.sample ? sample - anchor.sample : 0
    return anchor.milliseconds + behind / Self.samplesPerMillisecond
  }
}
