/// The positions of tracks that a receiver no longer gets.
///
/// When a track comes back, its packets continue from its position. If they began again, the
/// receiver would take them for old packets. Holds ``capacity`` tracks at most, and forgets those
/// that ended first.
struct FormerTracks: Sendable {
  static let capacity = 256

  private var positions: [UInt32: TrackPosition] = [:]

  /// The tracks in the order in which they ended.
  private var order: [UInt32] = []

  /// A track ended. It is not kept if the receiver never took it.
  mutating func note(_ position: TrackPosition, of ssrc: UInt32) {
    guard !position.isUntouched else { return }
    forget(ssrc)
    if order.count == Self.capacity { positions[order.removeFirst()] = nil }
    order.append(ssrc)
    positions[ssrc] = position
  }

  /// A track begins: returns its position. `nil`: it is new, or was forgotten.
  mutating func take(_ ssrc: UInt32) -> TrackPosition? {
    defer { forget(ssrc) }
    return positions[ssrc]
  }

  private mutating func forget(_ ssrc: UInt32) {
    guard positions.removeValue(forKey: ssrc) != nil else { return }
    order.removeAll { $0 == ssrc }
  }
}
