import Bus
import Wire

/// An owner's answer to a reader that asks for the events it missed.
enum CatchUp {
  /// All events after the position, without a gap.
  case events([V1.PackedEvent])

  /// Some of the events after the position, in the same epoch.
  ///
  /// Events that are no longer kept are missing.
  case page([V1.PackedEvent], through: StreamCursor, hasMore: Bool)

  /// The complete state: the epoch is a new one, or the missed events are no longer kept.
  ///
  /// - Parameters:
  ///   - at: The position of the snapshot.
  ///   - tick: The tick of the last volatile event that the snapshot contains.
  ///   - install: Delivers the snapshot to the stream's clients.
  case snapshot(at: StreamCursor, tick: UInt64 = 0, install: (_ hub: StreamHub) -> Void)
}
