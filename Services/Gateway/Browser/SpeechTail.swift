/// Who speaks, and who spoke a moment ago: as long as there are any, browsers are told of levels at
/// each step.
///
/// The public client keeps a score for each attendee. It rises and falls by a tenth with each frame
/// of levels, whatever changes meanwhile, and is at its floor after 44 frames of silence.
struct SpeechTail {
  /// The time from one step to the next.
  static let step = Duration.milliseconds(200)

  /// 0.9^44 is less than a hundredth, which counts as nought.
  private static let steps = 44

  /// The steps that are left, by attendee.
  private var left: [String: Int] = [:]

  /// Nobody speaks, and everybody has been silent for long enough.
  var isOver: Bool { left.isEmpty }

  /// Those whose levels are told, also while they are silent.
  var attendees: Dictionary<String, Int>.Keys { left.keys }

  /// These speak.
  mutating func hear(_ speakers: some Sequence<String>) {
    for speaker in speakers { left[speaker] = Self.steps }
  }

  /// One step has passed, and these speak now.
  mutating func advance(speaking speakers: Set<String>) {
    left = left.compactMapValues { $0 > 1 ? $0 - 1 : nil }
    hear(speakers)
  }
}
