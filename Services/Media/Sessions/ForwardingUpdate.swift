import MeetingModel

/// What video-tiles decided about one meeting since the update before, or all of it.
struct ForwardingUpdate: Hashable, Sendable {
  /// The number in its stream of updates, from 1 without a gap.
  var sequence: UInt64

  /// Whether it says everything, so that what it does not name is over.
  var isComplete = false

  /// The tiles of all sources that it names, also of those that nobody can forward.
  var tiles: Set<UInt32> = []

  /// The sources that can be forwarded.
  var sources: [SourceDescription] = []
  var endedTiles: [UInt32] = []
  var publishers: [Publisher] = []
  var receivers: [Receiver] = []
  var endedSessions: [SessionID] = []

  /// Whose packets of a tile count.
  struct Publisher: Hashable, Sendable {
    var tile: UInt32

    /// `nil`: nobody's do.
    var session: SessionID?
  }

  /// All that a session gets from now on.
  struct Receiver: Hashable, Sendable {
    var session: SessionID
    var decisions: [ForwardingDecision]
  }
}
