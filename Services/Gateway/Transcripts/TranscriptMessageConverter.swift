import Bus
import Wire

/// Converts transcript events to data messages, for clients that can read transcripts only as data
/// messages.
///
/// Converts each item once for all clients.
final class TranscriptMessageConverter {
  /// The topic of these data messages. Only services may use this topic.
  static let topic = "aws:chime:transcription"

  private var last: (item: PackedSessionEvents, messages: PackedSessionEvents)?

  /// Returns a copy of the item in which data messages replace the transcript events.
  func item(for item: PackedSessionEvents, nowMs: UInt64) -> PackedSessionEvents {
    if let last, last.item === item { return last.messages }
    // A service sends only valid items. If an item were invalid, the client would get the position
    // from the next item.
    var events = (try? V1.SessionEvents(packed: item.body)) ?? V1.SessionEvents()
    events.events = events.events.compactMap { Self.message(of: $0, nowMs: nowMs) }
    let messages = PackedSessionEvents(events)
    last = (item, messages)
    return messages
  }

  private static func message(of event: V1.SessionEvent, nowMs: UInt64) -> V1.SessionEvent? {
    let frame: V1.TranscriptFrame
    switch event.event {
    case .transcriptEvents(let events): frame = V1.TranscriptFrame(events.events)
    case .transcriptSnapshot(let snapshot): frame = V1.TranscriptFrame(snapshot)
    default: return event
    }
    guard !frame.events.isEmpty else { return nil }
    return V1.SessionEvent(
      event: .dataMessage(
        V1.DataMessage(topic: topic, data: frame.packed(), timestampMs: nowMs)))
  }
}
