import MeetingModel

/// The id of a source, and of its tile at every receiver.
///
/// No two sources of an epoch have the same id.
struct TileID: Hashable, Sendable {
  /// The number of the tile, never 0.
  let number: UInt32

  /// Creates an id; returns `nil` for 0, which means "none".
  init?(_ number: UInt32) {
    guard number > 0 else { return nil }
    self.number = number
  }
}

extension TileID: Comparable {
  /// Compares two ids by the order of publication.
  static func < (left: TileID, right: TileID) -> Bool { left.number < right.number }
}

extension TileID: CustomStringConvertible {
  var description: String { "\(number)" }
}
