import Bus

/// The numbered streams of a meeting that clients are told of.
enum MeetingStream: Sendable {
  case roster
  case messages
  case tiles
  case transcripts

  /// What it is called in clients' positions.
  var name: String {
    switch self {
    case .roster: "roster"
    case .messages: "messages"
    case .tiles: "tiles"
    case .transcripts: "transcripts"
    }
  }
}

/// How far one client was told of each stream of its meeting; `nil` before its first position.
struct StreamCursors {
  private var roster: StreamCursor?
  private var messages: StreamCursor?
  private var tiles: StreamCursor?
  private var transcripts: StreamCursor?

  subscript(stream: MeetingStream) -> StreamCursor? {
    get {
      switch stream {
      case .roster: roster
      case .messages: messages
      case .tiles: tiles
      case .transcripts: transcripts
      }
    }
    set {
      switch stream {
      case .roster: roster = newValue
      case .messages: messages = newValue
      case .tiles: tiles = newValue
      case .transcripts: transcripts = newValue
      }
    }
  }
}
