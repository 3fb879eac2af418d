import MeetingModel

/// What a board wants done, in order.
enum TileEffect: Hashable, Sendable {
  /// Publish a numbered event for these participants; empty: for everybody.
  case publish(TileEvent, for: [ParticipantID])
  /// Tell who forwards media.
  case forward(ForwardingChange)
  /// The meeting is over: whoever watches it is told.
  case end
}

/// One numbered event of a meeting.
enum TileEvent: Hashable, Sendable {
  /// New sources, or changed ones where the tile is known; and such that ended, with their tiles.
  case sources(available: [VideoSource], unavailable: [VideoSource])
  /// Tiles of a receiver came, went, paused or resumed. Never empty.
  case tiles([TileChange])
  case camera(CameraAvailability)
  /// A source was ended, or (`tile` is `nil`) refused when it was declared.
  case publishedEnded(TileID?, VideoSourceKind, Status)
}

/// What changed for who forwards media.
struct ForwardingChange: Hashable, Sendable {
  /// New ones, or changed.
  var sources: [ForwardedSource] = []
  var endedTiles: [TileID] = []

  /// New ones, or changed; each one whole.
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

/// What one receiver gets of all sources but its own, in the order of their tile ids.
struct ReceiverDecision: Hashable, Sendable {
  let session: SessionID
  let participant: ParticipantID
  let decisions: [TileDecision]

  /// What media measured last; `nil` before it did.
  let downlink: Bitrate?
}

/// The tiles of one receiver.
struct ReceiverTiles: Hashable, Sendable {
  let session: SessionID
  let participant: ParticipantID
  let tiles: [TileView]
  let camera: CameraAvailability
}
