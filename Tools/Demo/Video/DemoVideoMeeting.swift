internal import MeetingViews
internal import Output

/// The clients of the demo's meeting with video. The number of these clients exceeds the meeting's
/// limit of cameras and its limit of content shares.
struct DemoVideoMeeting: Sendable {
  let meeting: ControlAPIClient.Created
  /// The number of clients that may send camera video.
  let cameras: Int
  let watchers: [DemoVideoClient]
  /// A Python client that sends H.264 as one of the cameras.
  let pythonCamera: SubprocessClient

  var meetingID: String { meeting.id }

  /// The Swift clients that send camera video in VP8 when all cameras are in use.
  ///
  /// The first client draws its pictures. The other clients replay a recording.
  var publishers: ArraySlice<DemoVideoClient> { watchers.prefix(cameras - 1) }

  /// The ids of the attendees that send camera video.
  var cameraIDs: Set<String> { Set(publishers.map(\.attendeeID)).union([pythonCamera.attendeeID]) }

  /// The number of events that each client has received so far.
  var marks: [Int] { watchers.map(\.journal.count) }

  /// Waits until every client has received an event. Events that a client received before the call
  /// also count.
  ///
  /// - Parameters:
  ///   - what: The event, in words.
  ///   - matches: Returns whether an event is the expected event, or whether the client has the
  ///     expected state.
  /// - Throws: ``CommandFailure`` with the name of a client that did not receive the event in time.
  func hear(
    _ what: String, since marks: [Int]? = nil, until deadline: ContinuousClock.Instant,
    where matches: @escaping @Sendable (DemoVideoClient, VideoEvent) -> Bool
  ) async throws(CommandFailure) {
    for (index, watcher) in watchers.enumerated() {
      try await Self.hear(
        what, watcher, since: marks?[index] ?? 0, until: deadline
      ) { matches(watcher, $0) }
    }
  }

  /// Waits until one client has received an event.
  static func hear(
    _ what: String, _ watcher: DemoVideoClient, since mark: Int = 0,
    until deadline: ContinuousClock.Instant,
    where matches: @escaping @Sendable (VideoEvent) -> Bool
  ) async throws(CommandFailure) {
    guard
      await watcher.journal.first(from: mark, until: deadline, where: matches) != nil
    else {
      let heard = watcher.journal.entries(from: mark).suffix(20).map { "\($0.event)" }
      throw CommandFailure(
        code: "DEADLINE_EXCEEDED",
        message: "\(watcher.name) did not receive in time: \(what); "
          + "it received [\(heard.joined(separator: ", "))].")
    }
  }

  /// Checks that no client received an event that must not occur.
  ///
  /// - Throws: ``CommandFailure`` if a client received a matching event.
  func requireNothing(
    _ what: String, since marks: [Int], where matches: (VideoEvent) -> Bool
  ) throws(CommandFailure) {
    for (watcher, mark) in zip(watchers, marks) {
      let found = watcher.journal.entries(from: mark).map(\.event).filter(matches)
      guard found.isEmpty else {
        throw CommandFailure(
          code: "FALSE_EVENT", message: "\(watcher.name) received \(what): \(found).")
      }
    }
  }
}
