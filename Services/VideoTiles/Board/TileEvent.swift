import MeetingModel

/// An effect of a board.
enum TileEffect: Hashable, Sendable {
  /// Publish a numbered event for these participants; for everybody if empty.
  case publish(TileEvent, for: [ParticipantID])
  /// Send a change to the processes that forward media.
  case forward(ForwardingChange)
  /// The meeting has ended; inform its watchers.
  case end
}

/// One numbered event of a meeting.
enum TileEvent: Hashable, Sendable {
  /// New sources, or changed ones if the tile is known; and ended sources, with their tiles.
  case sources(available: [VideoSource], unavailable: [VideoSource])
  /// Tiles of a receiver that appeared, disappeared, paused or resumed. Never empty.
  case tiles([TileChange])
  case camera(CameraAvailability)
  /// A source was ended, or rejected when it was declared (`tile` is `nil`).
  case publishedEnded(TileID?, VideoSourceKind, Status)
}

/// A change for the processes that forward media.
struct ForwardingChange: Hashable, Sendable {
  /// New or changed sources.
  var sources: [ForwardedSource] = []
  var endedTiles: [TileID] = []

  /// New or changed receivers, each complete.
  var receivers: [ReceiverDecision] = []
  var endedSessions: [SessionID] = []

  var isEmpty: Bool {
    sources.isEmpty && endedTiles.isEmpty && receivers.isEmpty && endedSessions.isEmpty
  }
}

/// A source and the only session whose packets count for it.
struct ForwardedSource: Hashable, Sendable {
  let source: VideoSource
  let session: SessionID
}

/// The decisions of one receiver about all sources but its own, in the order of tile ids.
struct ReceiverDecision: Hashable, Sendable {
  let session: SessionID
  let participant: ParticipantID
  let decisions: [TileDecision]

  /// Media's latest measurement; `nil` before the first one.
  let downlink: Bitrate?
}

/// The tiles of one receiver.
struct ReceiverTiles: Hashable, Sendable {
  let session: SessionID
  let participant: ParticipantID
  let tiles: [TileView]
  let camera: CameraAvailability
}
