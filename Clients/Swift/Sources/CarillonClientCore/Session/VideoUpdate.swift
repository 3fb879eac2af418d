/// What the link to the server tells of video.
enum VideoUpdate: Hashable, Sendable {
  /// Whether camera video may be sent.
  case cameraAvailability(Bool)
  /// Attendees offer no video any more, and others do now. One who is in both offers another one.
  case sources(gone: [String], come: [String])
  /// The tiles changed; the changes are in their order.
  case tiles([TileNotice])
  /// What was declared under this number is in the meeting, as this tile.
  case published(number: UInt64, tileId: Int)
  /// What was declared under this number has ended as was wished.
  case unpublished(number: UInt64)
  /// What was declared under this number was refused, or the server ended it.
  case publishingFailed(number: UInt64)
}
