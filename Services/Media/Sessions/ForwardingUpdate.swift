import MeetingModel

/// The decisions of video-tiles about one meeting: the changes since the previous update, or all.
struct ForwardingUpdate: Hashable, Sendable {
  /// The number in its stream of updates, which counts from 1 without a gap.
  var sequence: UInt64

  /// Whether the update is complete.
  ///
  /// Everything that a complete update does not name has ended.
  var isComplete = false

  /// The tiles of all sources in the update, including sources that cannot be forwarded.
  var tiles: Set<UInt32> = []

  /// The sources that can be forwarded.
  var sources: [SourceDescription] = []
  var endedTiles: [UInt32] = []
  var publishers: [Publisher] = []
  var receivers: [Receiver] = []
  var endedSessions: [SessionID] = []

  /// The session that publishes a tile.
  ///
  /// Packets of other sessions for this tile do not count.
  struct Publisher: Hashable, Sendable {
    var tile: UInt32

    /// The publisher, or `nil` if no session's packets count.
    var session: SessionID?
  }

  /// All decisions for one receiving session, in place of its former ones.
  struct Receiver: Hashable, Sendable {
    var session: SessionID
    var decisions: [ForwardingDecision]
  }
}
