internal import MeetingViews
internal import Output

/// The clients of the demo's meeting with video: more than may send a camera or share content.
struct VideoCast: Sendable {
  let meeting: ControlAPI.Created
  /// How many may send a camera.
  let cameras: Int
  let watchers: [VideoWatcher]
  /// A Python client that sends H.264 as one of the cameras.
  let pythonCamera: ProcessWatcher

  var meetingID: String { meeting.id }

  /// Who of the Swift clients sends a camera when the meeting has as many as may be: VP8, the first
  /// one's as it is drawn, the others' as it was recorded.
  var publishers: ArraySlice<VideoWatcher> { watchers.prefix(cameras - 1) }

  /// Who sends a camera.
  var cameraIDs: Set<String> { Set(publishers.map(\.attendeeID)).union([pythonCamera.attendeeID]) }

  /// How much each has heard so far.
  var marks: [Int] { watchers.map(\.journal.count) }

  /// Waits until every client has heard something, or knows it already.
  ///
  /// - Parameters:
  ///   - what: What they hear, in words.
  ///   - matches: Whether an event says so to a client. What the client knows counts with it.
  /// - Throws: ``CommandFailure`` naming who did not in time.
  func hear(
    _ what: String, since marks: [Int]? = nil, until deadline: ContinuousClock.Instant,
    where matches: @escaping @Sendable (VideoWatcher, VideoEvent) -> Bool
  ) async throws(CommandFailure) {
    for (index, watcher) in watchers.enumerated() {
      try await Self.hear(
        what, watcher, since: marks?[index] ?? 0, until: deadline
      ) { matches(watcher, $0) }
    }
  }

  /// Waits until one client has heard something.
  static func hear(
    _ what: String, _ watcher: VideoWatcher, since mark: Int = 0,
    until deadline: ContinuousClock.Instant,
    where matches: @escaping @Sendable (VideoEvent) -> Bool
  ) async throws(CommandFailure) {
    guard
      await watcher.journal.first(from: mark, until: deadline, where: matches) != nil
    else {
      let heard = watcher.journal.entries(from: mark).suffix(20).map { "\($0.event)" }
      throw CommandFailure(
        code: "DEADLINE_EXCEEDED",
        message: "\(watcher.name) did not hear in time that \(what); "
          + "it heard [\(heard.joined(separator: ", "))].")
    }
  }

  /// - Throws: ``CommandFailure`` if anybody has heard of something that must not have happened.
  func requireNothing(
    _ what: String, since marks: [Int], where matches: (VideoEvent) -> Bool
  ) throws(CommandFailure) {
    for (watcher, mark) in zip(watchers, marks) {
      let found = watcher.journal.entries(from: mark).map(\.event).filter(matches)
      guard found.isEmpty else {
        throw CommandFailure(
          code: "FALSE_EVENT", message: "\(watcher.name) heard of \(what): \(found).")
      }
    }
  }
}
