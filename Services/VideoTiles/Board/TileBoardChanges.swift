import MeetingModel

/// The changes of one operation on a board. The board publishes these changes together.
struct TileBoardChanges {
  /// Sources that are new, or whose visible properties have changed.
  var visible: Set<TileID> = []

  /// Sources that are new, that have changed, or that another session now publishes.
  var forwarded: Set<TileID> = []

  /// The sources that ended.
  var ended: [PublishedVideoSource] = []

  /// The sources that the board ended or rejected without a request of their publisher.
  var refusals:
    [(participant: ParticipantID, tile: TileID?, kind: VideoSourceKind, status: Status)] = []

  /// The new sessions. These sessions get the state in a snapshot.
  var newSessions: Set<SessionID> = []

  var endedSessions: [SessionID] = []

  /// The sessions for which the board repeats all decisions. After a change of the sources, these
  /// are all sessions.
  var refreshed: Set<SessionID> = []

  /// Whether a change affects every receiver although no visible property of a source has changed.
  var concernsAll = false

  /// The indices of sessions whose budget has changed. Only operations without other changes set
  /// this property.
  var rebudgeted: [Int] = []

  /// Whether a session may have gained or lost the permission to send camera video.
  var concernsCameras = false

  var refreshesAll: Bool { concernsAll || !forwarded.isEmpty || !ended.isEmpty }

  /// Records that a source is new or has changed.
  mutating func tell(_ tile: TileID, isVisible: Bool) {
    forwarded.insert(tile)
    if isVisible { visible.insert(tile) }
  }
}
