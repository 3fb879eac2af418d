internal import MeetingViews
internal import Output

/// An event that a joined client handles.
enum JoinCommandEvent: Hashable, Sendable {
  case event(ObservedEvent)
  case level(AttendeeLevelChange)
  /// A line about a video.
  case video(OutputRecord)
  case key(JoinKeystroke)
  /// The size of the terminal has changed.
  case resized
}

/// A key that has an effect while the client is in the meeting.
enum JoinKeystroke: Hashable, Sendable {
  case toggleMute
  case leave
  case redraw

  /// Returns the keys in a terminal's input, up to an escape sequence such as an arrow key.
  static func keys(in bytes: [UInt8]) -> [JoinKeystroke] {
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
