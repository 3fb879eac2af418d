import Bus
import Wire

/// Shows transcript events as data messages, for clients that know nothing else.
///
/// Each item is converted once, however many clients read it so.
final class TranscriptMessages {
  /// The topic, which only services can send on.
  static let topic = "aws:chime:transcription"

  private var last: (item: SharedItem, messages: SharedItem)?

  /// What such a client gets in place of an item.
  func item(for item: SharedItem, nowMs: UInt64) -> SharedItem {
    if let last, last.item === item { return last.messages }
    // What a service packed can be unpacked; if not, the client gets its positions from the next
    // item.
    var events = (try? V1.SessionEvents(packed: item.body)) ?? V1.SessionEvents()
    events.events = events.events.compactMap { Self.message(of: $0, nowMs: nowMs) }
    let messages = SharedItem(events)
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
