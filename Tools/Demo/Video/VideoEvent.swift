internal import MeetingViews

/// An event that a client of the demo receives about video.
enum VideoEvent: Hashable, Sendable {
  case joined
  /// The session ended with a status code of the client library (`MeetingSessionStatusCode`).
  case ended(status: Int)
  /// The status of the video session: 206 for a view-only attendee.
  case status(Int)
  case mayPublish(Bool)
  /// A participant offers a video.
  case available(String)
  case unavailable(String)
  /// The client added the tile of a participant.
  case tileAdded(String)
  case tileRemoved(String)
  /// The session has released its camera.
  case cameraReleased
  case shareStarted
  case shareStopped(status: Int)
}

extension ObservedEventLog<VideoEvent> {
  /// The ids of the participants who offer a video, computed from the events.
  var sources: Set<String> {
    entries(from: 0).reduce(into: []) { sources, entry in
      switch entry.event {
      case .available(let id): sources.insert(id)
      case .unavailable(let id): sources.remove(id)
      case .joined, .ended, .status, .mayPublish, .tileAdded, .tileRemoved, .cameraReleased,
        .shareStarted, .shareStopped:
        break
      }
    }
  }
}
