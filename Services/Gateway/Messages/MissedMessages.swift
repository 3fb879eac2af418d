import Bus
import MeetingModel
import Wire

/// The data messages that a client lacks when its session begins or resumes.
struct MissedMessages {
  /// The position in the log after these messages.
  let cursor: StreamCursor
  let events: [V1.PackedEvent]

  /// Whether no message that the client may see was lost.
  let isComplete: Bool

  /// The item for the client: the messages, and the position after them.
  var item: SharedItem {
    // Concatenated packed lists form one list. Of several positions of a stream the last counts.
    let place = V1.SessionEvents(positions: [MeetingStream.messages.position(at: cursor)])
    return SharedItem(events.flatMap(\.body) + place.packed())
  }
}
