import CarillonClient

/// A callback to a session's observers. Each name is the name with which the test created the
/// attendee.
enum Heard: Hashable, Sendable {
  // Callbacks of AudioVideoObserver
  case connecting(reconnecting: Bool)
  case started(reconnecting: Bool)
  case interrupted
  case cancelled
  case stopped(MeetingSessionStatusCode)
  case videoChanged

  // Callbacks of RealtimeObserver, one value for each attendee
  case joined(String)
  case left(String)
  case lost(String)
  case muted(String)
  case unmuted(String)
  case volume(String, VolumeLevel)
  case signal(String)

  /// Whether the callback is about the session itself, and not about video or an attendee.
  var isAboutAudio: Bool {
    switch self {
    case .connecting, .started, .interrupted, .cancelled, .stopped: true
    default: false
    }
  }

  /// Whether the callback reports the join, leave or loss of an attendee.
  var isAboutPresence: Bool {
    switch self {
    case .joined, .left, .lost: true
    default: false
    }
  }

  /// Whether the callback reports who is in the meeting, or who is muted.
  var isAboutRoster: Bool {
    switch self {
    case .joined, .left, .lost, .muted, .unmuted: true
    default: false
    }
  }

  /// Whether the callback reports the leave or loss of an attendee.
  var isDeparture: Bool {
    switch self {
    case .left, .lost: true
    default: false
    }
  }
}

extension [Heard] {
  /// The attendees in the meeting after all these callbacks.
  var roster: Set<String> {
    reduce(into: []) { present, heard in
      switch heard {
      case .joined(let name): present.insert(name)
      case .left(let name), .lost(let name): present.remove(name)
      default: break
      }
    }
  }

  /// The muted attendees after all these callbacks.
  var muted: Set<String> {
    reduce(into: []) { muted, heard in
      switch heard {
      case .muted(let name): muted.insert(name)
      case .unmuted(let name), .left(let name), .lost(let name): muted.remove(name)
      default: break
      }
    }
  }

  func count(_ heard: Heard) -> Int { count { $0 == heard } }
}
