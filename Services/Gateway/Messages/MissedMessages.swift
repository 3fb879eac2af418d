import Bus
import MeetingModel
import Wire

/// The data messages that a client has missed when its session begins or resumes.
struct MissedMessages {
  /// The position in the log after these messages.
  let cursor: StreamCursor
  let events: [V1.PackedEvent]

  /// Whether ``events`` contains all missed messages that the client may see.
  let isComplete: Bool

  /// The item for the client: the messages, and the position after these messages.
  var item: PackedSessionEvents {
    // The encodings of two `SessionEvents`, one after the other, are the encoding of a single
    // `SessionEvents` with the contents of both. If this result has several positions of one
    // stream, the last one applies.
    let place = V1.SessionEvents(positions: [MeetingStream.messages.position(at: cursor)])
    return PackedSessionEvents(events.flatMap(\.body) + place.packed())
  }
}
