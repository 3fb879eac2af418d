import Bus
import Wire

/// The data messages that a client lacks when its session begins or goes on.
struct MissedMessages {
  /// Where the log's stream goes on behind them.
  let cursor: StreamCursor
  let events: [V1.PackedEvent]

  /// Nothing the client may see was lost.
  let isComplete: Bool

  /// What the client is told: the messages, and the position behind them.
  var item: SharedItem {
    let position = V1.StreamPosition(
      stream: MeetingStream.messages.name, epoch: cursor.epoch, sequence: cursor.sequence)
    // Packed lists one behind the other are one list; the last position of a stream counts.
    return SharedItem(
      events.flatMap(\.body) + V1.SessionEvents(positions: [position]).packed())
  }
}
