import MeetingModel

/// What one receiver gets of one source, and why.
struct TileDecision: Hashable, Sendable {
  let tile: TileID
  var reason: ForwardingReason

  /// Counted from 1; 0: nothing.
  var layer = 0

  /// What the decision counts for it.
  var bitrate = Bitrate.zero

  var priority: VideoPriority = .high

  /// No frame of it arrives, though it is to be sent.
  var isStalled = false

  /// Whether the tile moves; `nil`: there is none.
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

  /// Which layer is sent, counted from 1; 0: none.
  var layer = 0

  /// The size of that layer.
  var size: FrameSize?
}

/// A tile of one receiver came or changed, or went.
enum TileChange: Hashable, Sendable {
  case shows(TileView)
  case removed(TileID, ParticipantID)
}
