/// The attendees who speak now or spoke within the last 44 steps. A step takes 200 ms.
///
/// While this set is not empty, the gateway sends levels to browsers in each step. The public
/// client keeps a score for each attendee. The score rises or falls by a tenth with each frame of
/// levels, and reaches its minimum after 44 frames of silence.
struct RecentSpeakers {
  /// The time from one step to the next.
  static let step = Duration.milliseconds(200)

  /// The number of silent frames after which a score is zero: 0.9^44 is below 0.01, and the client
  /// rounds such a score to 0.
  private static let steps = 44

  /// The number of steps until each attendee leaves the set.
  private var left: [String: Int] = [:]

  /// Whether the set is empty: no attendee has spoken within the last 44 steps.
  var isOver: Bool { left.isEmpty }

  /// The attendees whose levels the gateway sends, including attendees who have just stopped
  /// speaking.
  var attendees: Dictionary<String, Int>.Keys { left.keys }

  /// Records that these attendees speak.
  mutating func hear(_ speakers: some Sequence<String>) {
    for speaker in speakers { left[speaker] = Self.steps }
  }

  /// Advances by one step. `speakers` are the attendees who speak now.
  mutating func advance(speaking speakers: Set<String>) {
    left = left.compactMapValues { $0 > 1 ? $0 - 1 : nil }
    hear(speakers)
  }
}
