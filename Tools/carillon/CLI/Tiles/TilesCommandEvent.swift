internal import Output
internal import Wire

/// An event that `carillon tiles` handles.
enum TilesCommandEvent: Sendable {
  case update(V1.ForwardingUpdate)
  /// The client has lost the stream of updates.
  case lost(CommandFailure)
  /// The meeting has ended.
  case ended
  /// The size of the terminal has changed, or the terminal needs a redraw.
  case redraw
  /// The user quits.
  case quit
}
