import MeetingModel

/// The layer that one receiver gets of one source, and the reason.
struct TileDecision: Hashable, Sendable {
  let tile: TileID
  var reason: ForwardingReason

  /// The layer, counted from 1; 0 for none.
  var layer = 0

  /// The bitrate that the decision counts for it.
  var bitrate = Bitrate.zero

  var priority: VideoPriority = .high

  /// Whether no frame of it arrives although it is to be sent.
  var isStalled = false

  /// Whether and why the tile is paused; `nil` if there is no tile.
  var pauseState: TilePauseState? {
    let decided = reason.pauseState
    return isStalled && decided == .unpaused ? .pausedForPoorConnection : decided
  }
}

/// A tile as its receiver sees it.
struct TileView: Hashable, Sendable {
  let tile: TileID
  let publisher: ParticipantID
  var pauseState: TilePauseState

  /// The layer that is sent, counted from 1; 0 for none.
  var layer = 0

  /// The size of that layer.
  var size: FrameSize?
}

/// A change of one receiver's tile: it appeared, changed or was removed.
enum TileChange: Hashable, Sendable {
  case shows(TileView)
  case removed(TileID, ParticipantID)
}
