import MeetingModel

/// The changes of one operation on a board, collected to be published together.
struct BoardChanges {
  /// Sources that are new or look different.
  var visible: Set<TileID> = []

  /// Sources that are new, look different or come from another session.
  var forwarded: Set<TileID> = []

  /// Sources that ended.
  var ended: [VideoSource] = []

  /// Sources that were ended or rejected against their publisher's will.
  var refusals:
    [(participant: ParticipantID, tile: TileID?, kind: VideoSourceKind, status: Status)] = []

  /// New sessions, which receive the state in a snapshot.
  var newSessions: Set<SessionID> = []

  var endedSessions: [SessionID] = []

  /// Sessions to decide about from scratch; all of them when sources changed.
  var refreshed: Set<SessionID> = []

  /// Whether something changed that affects every receiver although no source looks different.
  var concernsAll = false

  /// Sessions whose budget changed, by index; set only by operations that change nothing else.
  var rebudgeted: [Int] = []

  /// Whether the permission of some session to send camera video may have changed.
  var concernsCameras = false

  var refreshesAll: Bool { concernsAll || !forwarded.isEmpty || !ended.isEmpty }

  /// Records that a source is new or changed.
  mutating func tell(_ tile: TileID, isVisible: Bool) {
    forwarded.insert(tile)
    if isVisible { visible.insert(tile) }
  }
}
