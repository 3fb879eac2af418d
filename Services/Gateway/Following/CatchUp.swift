import Bus
import Wire

/// What an owner answers to a reader that asks what it has missed.
enum CatchUp {
  /// The events behind the position, with no hole between them.
  case events([V1.PackedEvent])

  /// Some of the events behind the position, in the same numbering: what is not kept any more is
  /// left out.
  case page([V1.PackedEvent], through: StreamCursor, hasMore: Bool)

  /// The numbering is another one, or what was missed is not kept: the state as a whole.
  ///
  /// - Parameters:
  ///   - at: The position that the snapshot stands for.
  ///   - tick: The last volatile event that it contains.
  ///   - install: Gives it to the clients of the stream.
  case snapshot(at: StreamCursor, tick: UInt64 = 0, install: (_ hub: StreamHub) -> Void)
}
