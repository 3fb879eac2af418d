/// The measurements that `media` made of one participant. The value `nil` means that the
/// measurement has not changed since the last report.
public struct LevelReport: Hashable, Sendable {
  /// The measured participant.
  public let participant: ParticipantID

  /// The current volume.
  public var volume: VolumeLevel?

  /// The quality of the participant's link.
  public var signal: SignalStrength?

  /// Creates a report of changes.
  public init(
    participant: ParticipantID, volume: VolumeLevel? = nil, signal: SignalStrength? = nil
  ) {
    (self.participant, self.volume, self.signal) = (participant, volume, signal)
  }
}
