import Bus

/// The numbered streams of a meeting that clients are told of.
enum MeetingStream: Sendable {
  case roster
  case messages

  /// What it is called in clients' positions.
  var name: String {
    switch self {
    case .roster: "roster"
    case .messages: "messages"
    }
  }
}

/// How far one client was told of each stream of its meeting; `nil` before its first position.
struct StreamCursors {
  private var roster: StreamCursor?
  private var messages: StreamCursor?

  subscript(stream: MeetingStream) -> StreamCursor? {
    get {
      switch stream {
      case .roster: roster
      case .messages: messages
      }
    }
    set {
      switch stream {
      case .roster: roster = newValue
      case .messages: messages = newValue
      }
    }
  }
}
