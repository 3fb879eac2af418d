import MeetingModel

/// What one operation on a board changed, gathered to be told at once.
struct BoardChanges {
  /// Sources that are new or look different.
  var visible: Set<TileID> = []

  /// Sources that are new, look different or come from another session.
  var forwarded: Set<TileID> = []

  /// Sources that ended.
  var ended: [VideoSource] = []

  /// Sources that were ended, or refused, against their publisher's will.
  var refusals:
    [(participant: ParticipantID, tile: TileID?, kind: VideoSourceKind, status: Status)] = []

  /// Sessions that are new: they learn what there is from a snapshot.
  var newSessions: Set<SessionID> = []

  var endedSessions: [SessionID] = []

  /// Sessions about which everything is decided anew; all of them when sources changed.
  var refreshed: Set<SessionID> = []

  /// Something that every receiver depends on changed, though no source looks different.
  var concernsAll = false

  /// Sessions whose budget changed, by index; set only by operations that change nothing else.
  var rebudgeted: [Int] = []

  /// Whether somebody may or may not send camera video now that could not or could before.
  var concernsCameras = false

  var refreshesAll: Bool { concernsAll || !forwarded.isEmpty || !ended.isEmpty }

  /// A source is new or changed.
  mutating func tell(_ tile: TileID, isVisible: Bool) {
    forwarded.insert(tile)
    if isVisible { visible.insert(tile) }
  }
}
