/// What media measured of one participant; `nil` means unchanged.
public struct LevelReport: Hashable, Sendable {
  /// Whom it was measured of.
  public let participant: ParticipantID

  /// How loud it is now.
  public var volume: VolumeLevel?

  /// How well its link does.
  public var signal: SignalStrength?

  /// Reports what has changed.
  public init(
    participant: ParticipantID, volume: VolumeLevel? = nil, signal: SignalStrength? = nil
  ) {
    (self.participant, self.volume, self.signal) = (participant, volume, signal)
  }
}
