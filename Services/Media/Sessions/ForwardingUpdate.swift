import MeetingModel

/// The decisions of `video-tiles` about one meeting: all decisions, or the changes since the last
/// update.
struct ForwardingUpdate: Hashable, Sendable {
  /// The number of the update in its stream. Numbers count from 1 without a gap.
  var sequence: UInt64

  /// Whether the update is complete.
  ///
  /// If a complete update does not contain a source or a decision, this source or decision has
  /// ended.
  var isComplete = false

  /// The tiles of all sources in the update, including sources that `media` cannot forward.
  var tiles: Set<UInt32> = []

  /// The sources that `media` can forward.
  var sources: [VideoSourceDescription] = []
  var endedTiles: [UInt32] = []
  var publishers: [Publisher] = []
  var receivers: [ReceiverDecisions] = []
  var endedSessions: [SessionID] = []

  /// The session that publishes a tile.
  ///
  /// Packets of other sessions for this tile are invalid.
  struct Publisher: Hashable, Sendable {
    var tile: UInt32

    /// The publisher; `nil` if the packets of all sessions are invalid.
    var session: SessionID?
  }

  /// All decisions for one receiving session. These decisions replace the session's former
  /// decisions.
  struct ReceiverDecisions: Hashable, Sendable {
    var session: SessionID
    var decisions: [ForwardingDecision]
  }
}
