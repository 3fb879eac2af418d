/// The attendees who speak or spoke a moment ago; while there are any, each step sends levels.
///
/// The public client keeps a score for each attendee. The score rises or falls by a tenth with each
/// frame of levels, and reaches its floor after 44 frames of silence.
struct SpeechTail {
  /// The time from one step to the next.
  static let step = Duration.milliseconds(200)

  /// 0.9^44 is less than a hundredth, which counts as zero.
  private static let steps = 44

  /// The remaining steps, by attendee.
  private var left: [String: Int] = [:]

  /// Whether nobody speaks, and everybody has been silent for long enough.
  var isOver: Bool { left.isEmpty }

  /// The attendees whose levels are sent, including those who just fell silent.
  var attendees: Dictionary<String, Int>.Keys { left.keys }

  /// Records attendees who speak.
  mutating func hear(_ speakers: some Sequence<String>) {
    for speaker in speakers { left[speaker] = Self.steps }
  }

  /// Advances by one step, with the attendees who speak now.
  mutating func advance(speaking speakers: Set<String>) {
    left = left.compactMapValues { $0 > 1 ? $0 - 1 : nil }
    hear(speakers)
  }
}
