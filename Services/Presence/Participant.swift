import MeetingModel
import Ownership

/// One participant of a roster.
struct Participant: Hashable, Sendable {
  let identity: ParticipantIdentity
  var session: SessionID
  var attendance: Attendance
  var mute: MuteState
  var capabilities: AttendeeCapabilities
  var levels = ParticipantVolumeAndSignal()

  /// Whether the participant belongs to a replica, and is promoted into this meeting until the
  /// participant disconnects.
  var isPromoted: Bool

  /// The time of the join, in milliseconds since 1970-01-01T00:00:00Z.
  let joinedAtMs: UInt64

  /// The time at which the participant's session reached its gateway, in milliseconds since
  /// 1970-01-01T00:00:00Z; 0 if unknown.
  var openedAtMs: UInt64

  /// The participant's number in the order of joins.
  let ordinal: UInt64

  var id: ParticipantID { identity.id }

  /// Whether the participant counts toward the meeting's capacity.
  var takesSeat: Bool { !id.isContent && !attendance.isDeparting }

  /// The participant's entry in snapshots and events.
  var entry: RosterEntry {
    RosterEntry(
      identity: identity, mute: mute, volume: levels.volume(for: mute), signal: levels.signal,
      capabilities: capabilities, joinedAtMs: joinedAtMs)
  }
}

/// Whether a participant is in the meeting.
enum Attendance: Hashable, Sendable {
  /// The participant is present, with this contact.
  case present(SessionConnectivity)
  /// The participant has left, but `presence` publishes the departure only after the end of
  /// recovery.
  case departing(PresenceReason)

  /// The gateway that last reported the participant.
  var gateway: GatewayName? { contact?.gateway }

  var isConnected: Bool { contact?.isConnected ?? false }

  var isDeparting: Bool { contact == nil }

  private var contact: SessionConnectivity? {
    if case .present(let contact) = self { contact } else { nil }
  }

  /// Returns the time at which `presence` drops a participant that stays absent, and the reason to
  /// publish.
  func end(by timing: OwnerGracePeriods) -> (at: ContinuousClock.Instant, as: PresenceReason)? {
    guard let contact,
      let end = contact.end(dropAfter: timing.dropAfter, gatewayGrace: timing.gatewayGrace)
    else { return nil }
    if case .orphaned = contact { return (end, .gatewayLost) }
    return (end, .connectionLost)
  }

  /// Returns the attendance with its times shifted by the duration of a stall of this process.
  func excusingSilence(of stall: Duration) -> Attendance {
    contact.map { .present($0.excusingSilence(of: stall)) } ?? self
  }
}

/// A participant's volume and signal strength.
struct ParticipantVolumeAndSignal: Hashable, Sendable {
  /// The volume that `media` measured. The published volume of a muted participant is `muted`.
  private(set) var measured: VolumeLevel = .notSpeaking

  /// The signal strength; `nil` until `media` has measured it.
  private(set) var signal: SignalStrength?

  private var publishedVolume: VolumeLevel = .notSpeaking
  private var publishedSignal: SignalStrength?

  func volume(for mute: MuteState) -> VolumeLevel { mute.isMuted ? .muted : measured }

  /// Records a measurement of `media`. `nil` means that a value has not changed.
  mutating func measure(volume: VolumeLevel?, signal: SignalStrength?) {
    if let volume { measured = volume == .muted ? .notSpeaking : volume }
    if let signal { self.signal = signal }
  }

  /// Resets the volume after a join or a change of the mute. The event of the join or of the mute
  /// implies the volume: `muted` after a mute, and otherwise `notSpeaking`.
  mutating func restart(for mute: MuteState) {
    measured = .notSpeaking
    publishedVolume = volume(for: mute)
  }

  /// Returns the changed values, and marks them as published.
  mutating func takeChanges(for mute: MuteState) -> (VolumeLevel?, SignalStrength?) {
    let volume = volume(for: mute)
    defer { (publishedVolume, publishedSignal) = (volume, signal) }
    return (
      volume == publishedVolume ? nil : volume, signal == publishedSignal ? nil : signal
    )
  }
}
