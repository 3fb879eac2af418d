import MeetingModel

/// An effect of a board.
enum TileEffect: Hashable, Sendable {
  /// Publish a numbered event for these participants; for all participants if the list is empty.
  case publish(TileEvent, for: [ParticipantID])
  /// Send a change to the processes that forward media.
  case forward(ForwardingChange)
  /// Notify the watchers of the meeting, because the meeting has ended.
  case end
}

/// One numbered event of a meeting.
enum TileEvent: Hashable, Sendable {
  /// New and changed sources, and ended sources with their tiles. If readers already know the tile
  /// of a source, the source has changed; otherwise the source is new.
  case sources(available: [PublishedVideoSource], unavailable: [PublishedVideoSource])
  /// A receiver's tiles that appeared, disappeared, paused or resumed. The list is never empty.
  case tiles([TileChange])
  case camera(CameraAvailability)
  /// The codecs that all receivers decode have changed.
  case codecs(VideoCodecSet)
  /// The board ended a source, or rejected the declaration of a source. After a rejection, the tile
  /// id is `nil`.
  case publishedEnded(TileID?, VideoSourceKind, Status)
}

/// A change for the processes that forward media.
struct ForwardingChange: Hashable, Sendable {
  /// The new or changed sources.
  var sources: [ForwardedSource] = []
  var endedTiles: [TileID] = []

  /// The new or changed receivers, each with all its decisions.
  var receivers: [ReceiverDecision] = []
  var endedSessions: [SessionID] = []

  var isEmpty: Bool {
    sources.isEmpty && endedTiles.isEmpty && receivers.isEmpty && endedSessions.isEmpty
  }
}

/// A source, and the only session whose packets are valid for this source.
struct ForwardedSource: Hashable, Sendable {
  let source: PublishedVideoSource
  let session: SessionID
}

/// The decisions for one receiver, in the order of tile ids: one about each source except the
/// receiver's own sources.
struct ReceiverDecision: Hashable, Sendable {
  let session: SessionID
  let participant: ParticipantID
  let decisions: [TileDecision]

  /// The latest measurement of `media`; `nil` before the first measurement.
  let downlink: Bitrate?
}

/// The tiles of one receiver.
struct ReceiverTiles: Hashable, Sendable {
  let session: SessionID
  let participant: ParticipantID
  let tiles: [ReceiverTile]
  let camera: CameraAvailability
}
