internal import MeetingModel
internal import Wire

/// How far a session has come in the meeting's data messages; tells new ones from repeats.
///
/// A value: each item of the session stream is begun with its positions, which say what numbering
/// its messages belong to. Repeats come when a connection is lost: the position that the server was
/// told may lag behind what has arrived.
struct MessageCursor: Sendable {
  /// The name of the stream in positions.
  static let stream = MeetingStream.messages.name

  private var epoch: UInt64?
  private var last: UInt64 = 0
  private var ahead: ArraySlice<V1.StreamPosition> = []

  /// An item arrived: its messages are asked for next, in their order.
  mutating func beginItem(_ positions: [V1.StreamPosition]) {
    guard !positions.isEmpty else { return ahead = [] }
    ahead = positions.filter { $0.stream == Self.stream }[...]
  }

  /// Whether the message is new; it counts as received then.
  mutating func receive(_ message: V1.DataMessage) -> Bool {
    // It is not in the log: a transcript that comes as a message.
    guard message.sequence > 0 else { return true }
    let next = ahead.firstIndex { $0.sequence >= message.sequence }
    if let next {
      let position = ahead[next]
      if let epoch, epoch != position.epoch { last = 0 }
      epoch = position.epoch
      // What was packed behind it may belong to a newer numbering, which begins at 1 again.
      if position.sequence == message.sequence { ahead = ahead[(next + 1)...] }
    }
    guard message.sequence > last else { return false }
    last = message.sequence
    return true
  }
}
