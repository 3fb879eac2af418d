import Bus
import MeetingModel
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
    // Packed lists one behind the other are one list; the last position of a stream counts.
    let place = V1.SessionEvents(positions: [MeetingStream.messages.position(at: cursor)])
    return SharedItem(events.flatMap(\.body) + place.packed())
  }
}
