/// The positions of tracks that a receiver no longer gets.
///
/// When the receiver gets a track again, the track's packets continue from the stored position. If
/// the numbers restarted, the receiver would treat the new packets as old packets. The type stores
/// at most ``capacity`` tracks, and drops the tracks that ended first.
struct FormerTracks: Sendable {
  static let capacity = 256

  private var positions: [UInt32: TrackPosition] = [:]

  /// The tracks in the order in which they ended.
  private var order: [UInt32] = []

  /// Stores the position of an ended track, if the receiver has ever got the track.
  mutating func note(_ position: TrackPosition, of ssrc: UInt32) {
    guard !position.isUntouched else { return }
    forget(ssrc)
    if order.count == Self.capacity { positions[order.removeFirst()] = nil }
    order.append(ssrc)
    positions[ssrc] = position
  }

  /// Removes and returns the position of a starting track; `nil` if the track is new or this type
  /// has dropped the track's position.
  mutating func take(_ ssrc: UInt32) -> TrackPosition? {
    defer { forget(ssrc) }
    return positions[ssrc]
  }

  private mutating func forget(_ ssrc: UInt32) {
    guard positions.removeValue(forKey: ssrc) != nil else { return }
    order.removeAll { $0 == ssrc }
  }
}
