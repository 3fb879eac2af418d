internal import Foundation
internal import MeetingViews
internal import Output

/// The step in which a view-only attendee sees every camera, with real pictures.
extension DemoScenario {
  /// The longest time on a busy machine until pictures of every camera have arrived.
  private static let allSeen: Duration = .seconds(60)

  /// The number of pictures of one camera after which the demo assumes that a client sees the
  /// camera.
  private static let picturesOfEach = 5

  /// Checks that the last client is view-only, that the server refuses the camera of this client,
  /// and that the client sees the cameras of all other clients.
  ///
  /// A Python client checks the H.264 camera, because the Swift client does not decode H.264.
  func cameraBeyondLimit(_ cast: DemoVideoMeeting) async throws -> OutputRecord {
    guard let last = cast.watchers.last, let first = cast.publishers.first else { return [:] }
    let viewOnly = 206
    try await DemoVideoMeeting.hear("it may only watch", last, until: deadline()) {
      $0 == .status(viewOnly)
    }
    let marks = cast.marks
    last.tryCamera()
    try await DemoVideoMeeting.hear("its camera is refused", last, until: deadline()) {
      $0 == .cameraReleased
    }
    let attendee = try await createAttendee("viewer", in: cast.meeting)
    let viewing =
      try arguments(ofPython: .view, as: attendee) + ["--from", cast.pythonCamera.attendeeID]
    let stage = stage
    async let viewed = Self.view(on: stage, viewing)
    last.watch()
    var detail: OutputRecord = ["session_status": JSONValue(viewOnly), "refused": true]
    let seen = try await picturesOfAll(cast, live: first, seenBy: last)
    detail.fields += seen.fields
    detail["h264_pictures"] = JSONValue(try await viewed)
    try cast.requireNothing("another camera", since: marks) {
      if case .available = $0 { true } else { false }
    }
    return detail
  }

  /// Waits until one client has decoded pictures of all VP8 cameras.
  private func picturesOfAll(
    _ cast: DemoVideoMeeting, live: DemoVideoClient, seenBy watcher: DemoVideoClient
  ) async throws -> OutputRecord {
    let start = ContinuousClock.now
    let limit = start + Self.allSeen
    let wanted = cast.publishers.map(\.attendeeID)
    while !wanted.allSatisfy({ watcher.tally.counts[$0, default: 0] >= Self.picturesOfEach }) {
      guard ContinuousClock.now < limit else {
        let counts = watcher.tally.counts
        let missing = cast.publishers.filter {
          counts[$0.attendeeID, default: 0] < Self.picturesOfEach
        }
        throw CommandFailure(
          code: "NOT_SEEN",
          message: "\(watcher.name) does not see \(missing.map(\.name)) after \(limit - start).")
      }
      try await Task.sleep(for: .milliseconds(20))  // Polls: nothing signals a picture.
    }
    let after = ContinuousClock.now - start
    let pictures = wanted.flatMap { watcher.tally.pictures(of: $0) }
    let live = watcher.tally.pictures(of: live.attendeeID)
    let unreadable = pictures.count { $0.number == nil }
    guard unreadable * 4 <= pictures.count else {
      throw CommandFailure(
        code: "CORRUPT",
        message: "\(unreadable) of \(pictures.count) pictures have no readable number.")
    }
    return [
      "cameras_seen": JSONValue(wanted.count), "all_seen_after_ms": JSONValue(after.milliseconds),
      "pictures": JSONValue(pictures.count), "live_pictures": JSONValue(live.count),
      "live_width": JSONValue(live.last?.width ?? 0),
    ]
  }

  /// Returns the number of pictures that a Python client saw, from the last line that the client
  /// printed.
  ///
  /// If the client has not seen enough pictures, for example on a slow machine, the client runs
  /// again for a longer time.
  private static func view(on stage: DemoToolkit, _ arguments: [String]) async throws -> Int {
    var lines: [String] = []
    for seconds in [4, 8, 24] {
      lines = try await stage.output(
        of: stage.python, arguments + ["--seconds", "\(seconds)"])
      let said = lines.compactMap {
        try? JSONDecoder().decode(TileViewLine.self, from: Data($0.utf8))
      }
      if let last = said.last, last.codec == "H264", last.numbered * 4 >= last.frames * 3,
        last.frames >= picturesOfEach
      {
        return last.frames
      }
    }
    throw CommandFailure(
      code: "NOT_SEEN",
      message: "The Python client decoded no readable H.264 pictures; it printed \(lines).")
  }
}

/// The line that `python -m carillon view` prints about a tile.
private struct TileViewLine: Decodable {
  let codec: String
  let frames: Int
  let numbered: Int
}
