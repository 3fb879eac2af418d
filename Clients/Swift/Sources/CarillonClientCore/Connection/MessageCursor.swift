internal import MeetingModel
internal import Wire

/// The session's position in the meeting's data messages. The cursor distinguishes new messages
/// from repeated messages.
///
/// Each item of the session stream begins with positions. The epoch of a position identifies the
/// numbering of the item's messages. Repeated messages arrive after a lost connection, because the
/// server may know only an older position of the client.
struct MessageCursor: Sendable {
  /// The name of the stream in positions.
  static let stream = MeetingStream.messages.name

  private var epoch: UInt64?
  private var last: UInt64 = 0
  private var ahead: ArraySlice<V1.StreamPosition> = []

  /// Begins an item of the stream. The caller then calls ``receive(_:)`` for each message of the
  /// item, in order.
  mutating func beginItem(_ positions: [V1.StreamPosition]) {
    guard !positions.isEmpty else { return ahead = [] }
    ahead = positions.filter { $0.stream == Self.stream }[...]
  }

  /// Marks a message as received, and returns whether the message is new.
  mutating func receive(_ message: V1.DataMessage) -> Bool {
    // A transcript that arrives as a message has sequence 0, because transcripts are not in the
    // log.
    guard message.sequence > 0 else { return true }
    let next = ahead.firstIndex { $0.sequence >= message.sequence }
    if let next {
      let position = ahead[next]
      if let epoch, epoch != position.epoch { last = 0 }
      epoch = position.epoch
      // Later messages of the item may belong to a newer epoch, whose sequence numbers start at 1.
      if position.sequence == message.sequence { ahead = ahead[(next + 1)...] }
    }
    guard message.sequence > last else { return false }
    last = message.sequence
    return true
  }
}
