internal import Output
internal import Wire

/// What `carillon tiles` has to react to.
enum TilesUpdate: Sendable {
  case update(V1.ForwardingUpdate)
  /// Updates do not come for now.
  case lost(CommandFailure)
  /// The meeting is over.
  case ended
  /// The terminal has another size, or its picture is to be drawn anew.
  case redraw
  /// Somebody wants to leave.
  case quit
}
