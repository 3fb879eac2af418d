import CarillonClient

/// What a session tells its observers, with attendees by the name they were made with.
enum Heard: Hashable, Sendable {
  // AudioVideoObserver
  case connecting(reconnecting: Bool)
  case started(reconnecting: Bool)
  case interrupted
  case cancelled
  case stopped(MeetingSessionStatusCode)
  case videoChanged

  // RealtimeObserver, one for each attendee
  case joined(String)
  case left(String)
  case lost(String)
  case muted(String)
  case unmuted(String)
  case volume(String, VolumeLevel)
  case signal(String)

  /// Whether it is about the session as such, and not about its video or an attendee.
  var isAboutAudio: Bool {
    switch self {
    case .connecting, .started, .interrupted, .cancelled, .stopped: true
    default: false
    }
  }

  /// Whether it is about who is in the meeting.
  var isAboutPresence: Bool {
    switch self {
    case .joined, .left, .lost: true
    default: false
    }
  }

  /// Whether it is about who is in the meeting, or who is muted.
  var isAboutRoster: Bool {
    switch self {
    case .joined, .left, .lost, .muted, .unmuted: true
    default: false
    }
  }

  /// Whether it says that somebody has gone.
  var isDeparture: Bool {
    switch self {
    case .left, .lost: true
    default: false
    }
  }
}

extension [Heard] {
  /// Who is in the meeting after all of this.
  var roster: Set<String> {
    reduce(into: []) { present, heard in
      switch heard {
      case .joined(let name): present.insert(name)
      case .left(let name), .lost(let name): present.remove(name)
      default: break
      }
    }
  }

  /// Who is muted after all of this.
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
