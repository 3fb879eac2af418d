import Bus
import Wire

/// An owner's answer to a reader's request for missed events.
enum MissedEventsReply {
  /// All events after the position, without a gap.
  case events([V1.PackedEvent])

  /// Some of the events after the position, in the same epoch.
  ///
  /// The answer does not contain events that the owner no longer keeps.
  case page([V1.PackedEvent], through: StreamCursor, hasMore: Bool)

  /// The complete state. The owner sends the complete state if the epoch has changed, or if the
  /// owner no longer keeps the missed events.
  ///
  /// - Parameters:
  ///   - at: The position of the snapshot.
  ///   - tick: The tick of the last volatile event that the snapshot contains.
  ///   - install: Delivers the snapshot to the stream's clients.
  case snapshot(at: StreamCursor, tick: UInt64 = 0, install: (_ hub: StreamHub) -> Void)
}
