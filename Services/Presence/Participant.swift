import MeetingModel
import Ownership

/// One participant as its roster knows it.
struct Participant: Hashable, Sendable {
  let identity: ParticipantIdentity
  var session: SessionID
  var attendance: Attendance
  var mute: MuteState
  var capabilities: AttendeeCapabilities
  var levels = Levels()

  /// Whether it belongs to a replica and is promoted here until it disconnects.
  var isPromoted: Bool

  /// The time of the join, in milliseconds since 1970-01-01T00:00:00Z.
  let joinedAtMs: UInt64

  /// When its session reached its gateway, in the same unit; 0 if unknown.
  var openedAtMs: UInt64

  /// Its place in the order of joins.
  let ordinal: UInt64

  var id: ParticipantID { identity.id }

  /// Whether it takes one of the meeting's seats.
  var takesSeat: Bool { !id.isContent && !attendance.isDeparting }

  /// The participant as others see it.
  var entry: RosterEntry {
    RosterEntry(
      identity: identity, mute: mute, volume: levels.volume(for: mute), signal: levels.signal,
      capabilities: capabilities, joinedAtMs: joinedAtMs)
  }
}

/// Whether a participant is in the meeting.
enum Attendance: Hashable, Sendable {
  /// It is present, with this contact.
  case present(Contact)
  /// It has left, but the departure is not published before recovery ends.
  case departing(PresenceReason)

  /// The gateway through which it was last heard.
  var gateway: GatewayName? { contact?.gateway }

  var isConnected: Bool { contact?.isConnected ?? false }

  var isDeparting: Bool { contact == nil }

  private var contact: Contact? {
    if case .present(let contact) = self { contact } else { nil }
  }

  /// Returns when the participant is dropped unless it returns, and the reason to publish.
  func end(by timing: OwnerTiming) -> (at: ContinuousClock.Instant, as: PresenceReason)? {
    guard let contact,
      let end = contact.end(dropAfter: timing.dropAfter, gatewayGrace: timing.gatewayGrace)
    else { return nil }
    if case .orphaned = contact { return (end, .gatewayLost) }
    return (end, .connectionLost)
  }

  /// Returns the attendance with its moments shifted by a stall of presence.
  func excusingSilence(of stall: Duration) -> Attendance {
    contact.map { .present($0.excusingSilence(of: stall)) } ?? self
  }
}

/// A participant's volume and signal strength.
struct Levels: Hashable, Sendable {
  /// The volume that media measured. A muted participant's volume is published as `muted`.
  private(set) var measured: VolumeLevel = .notSpeaking

  /// `nil` until media measured it.
  private(set) var signal: SignalStrength?

  private var publishedVolume: VolumeLevel = .notSpeaking
  private var publishedSignal: SignalStrength?

  func volume(for mute: MuteState) -> VolumeLevel { mute.isMuted ? .muted : measured }

  /// Records a measurement of media; `nil` means unchanged.
  mutating func measure(volume: VolumeLevel?, signal: SignalStrength?) {
    if let volume { measured = volume == .muted ? .notSpeaking : volume }
    if let signal { self.signal = signal }
  }

  /// Resets the volume after a join or a change of mute, whose event implies it: `muted`, or
  /// `notSpeaking` after a mute.
  mutating func restart(for mute: MuteState) {
    measured = .notSpeaking
    publishedVolume = volume(for: mute)
  }

  /// Returns the values that are not published yet, and marks them as published.
  mutating func takeChanges(for mute: MuteState) -> (VolumeLevel?, SignalStrength?) {
    let volume = volume(for: mute)
    defer { (publishedVolume, publishedSignal) = (volume, signal) }
    return (
      volume == publishedVolume ? nil : volume, signal == publishedSignal ? nil : signal
    )
  }
}
