import MeetingModel

/// The layer that one receiver gets of one source, and the reason for this choice.
struct TileDecision: Hashable, Sendable {
  let tile: TileID
  var reason: ForwardingReason

  /// The number of the layer, from 1; 0 for none.
  var layer = 0

  /// The number of temporal layers that the receiver gets of the layer; 0 for all.
  var temporalLayers = 0

  /// The bitrate that the decision assumes for the layer.
  var bitrate = Bitrate.zero

  var priority: VideoPriority = .high

  /// Whether the receiver gets no frame of the tile, although the decision assigns a layer.
  var isStalled = false

  /// Whether and why the tile is paused; `nil` if there is no tile.
  var pauseState: TilePauseState? {
    let decided = reason.pauseState
    return isStalled && decided == .unpaused ? .pausedForPoorConnection : decided
  }
}

/// A tile of one receiver.
struct ReceiverTile: Hashable, Sendable {
  let tile: TileID
  let publisher: ParticipantID
  var pauseState: TilePauseState

  /// The number of the sent layer, from 1; 0 for none.
  var layer = 0

  /// The size of the sent layer.
  var size: FrameSize?
}

/// A change of one receiver's tile: the tile appeared, changed or disappeared.
enum TileChange: Hashable, Sendable {
  case shows(ReceiverTile)
  case removed(TileID, ParticipantID)
}
