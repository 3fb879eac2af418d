internal import MeetingViews

/// What a joined client has to react to.
enum JoinUpdate: Hashable, Sendable {
  case event(ClientEvent)
  case level(LevelChange)
  case key(JoinKey)
  /// The terminal has another size.
  case resized
}

/// A key that means something while joined.
enum JoinKey: Hashable, Sendable {
  case toggleMute
  case leave
  case redraw

  /// The keys in what a terminal sent. From an escape on it is a key with a name, such as an arrow.
  static func keys(in bytes: [UInt8]) -> [JoinKey] {
    bytes.prefix { $0 != 0x1B }.compactMap { byte in
      switch byte {
      case UInt8(ascii: "m"), UInt8(ascii: "M"): .toggleMute
      case UInt8(ascii: "l"), UInt8(ascii: "L"), UInt8(ascii: "q"), UInt8(ascii: "Q"): .leave
      case 0x0C: .redraw  // Ctrl-L.
      default: nil
      }
    }
  }
}
