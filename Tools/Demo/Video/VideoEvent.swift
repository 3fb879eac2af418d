internal import MeetingViews

/// What a client of the demo hears of video.
enum VideoEvent: Hashable, Sendable {
  case joined
  /// The session is over; the facade's status.
  case ended(status: Int)
  /// Whether camera video may be sent, as a status: 206 for who may only watch.
  case status(Int)
  case mayPublish(Bool)
  /// A participant offers video.
  case available(String)
  case unavailable(String)
  /// The first picture of a participant came.
  case tileAdded(String)
  case tileRemoved(String)
  /// The session has let go of its camera.
  case cameraReleased
  case shareStarted
  case shareStopped(status: Int)
}

extension EventJournal<VideoEvent> {
  /// Who offers video, by what was heard.
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
