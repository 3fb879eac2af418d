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

  /// Whether it belongs to a replica and acts here until any disconnect.
  var isPromoted: Bool

  /// Milliseconds since 1970-01-01T00:00:00Z.
  let joinedAtMs: UInt64

  /// When its session came to the gateway that has it, in the same way; 0: not known.
  var openedAtMs: UInt64

  /// Its place in the order of joins.
  let ordinal: UInt64

  var id: ParticipantID { identity.id }

  /// Whether it takes one of the meeting's seats.
  var takesSeat: Bool { !id.isContent && !attendance.isDeparting }

  /// What it looks like to the others.
  var entry: RosterEntry {
    RosterEntry(
      identity: identity, mute: mute, volume: levels.volume(for: mute), signal: levels.signal,
      capabilities: capabilities, joinedAtMs: joinedAtMs)
  }
}

/// Whether a participant is in the meeting.
enum Attendance: Hashable, Sendable {
  /// It is, and this is how its gateway can reach it.
  case present(Contact)
  /// It is gone, but that is not told before recovery is over.
  case departing(PresenceReason)

  /// The gateway through which it was last heard.
  var gateway: GatewayName? { contact?.gateway }

  var isConnected: Bool { contact?.isConnected ?? false }

  var isDeparting: Bool { contact == nil }

  private var contact: Contact? {
    if case .present(let contact) = self { contact } else { nil }
  }

  /// When it is given up unless it comes back, and what is said then.
  func end(by timing: OwnerTiming) -> (at: ContinuousClock.Instant, as: PresenceReason)? {
    guard let contact,
      let end = contact.end(dropAfter: timing.dropAfter, gatewayGrace: timing.gatewayGrace)
    else { return nil }
    if case .orphaned = contact { return (end, .gatewayLost) }
    return (end, .connectionLost)
  }

  /// The same after presence stood still so long.
  func excusingSilence(of stall: Duration) -> Attendance {
    contact.map { .present($0.excusingSilence(of: stall)) } ?? self
  }
}

/// How loud and how well connected a participant is.
struct Levels: Hashable, Sendable {
  /// The volume that media measured. What is published of a muted participant is `muted`.
  private(set) var measured: VolumeLevel = .notSpeaking

  /// `nil` until media measured it.
  private(set) var signal: SignalStrength?

  private var publishedVolume: VolumeLevel = .notSpeaking
  private var publishedSignal: SignalStrength?

  func volume(for mute: MuteState) -> VolumeLevel { mute.isMuted ? .muted : measured }

  /// Takes over what media measured; `nil` means unchanged.
  mutating func measure(volume: VolumeLevel?, signal: SignalStrength?) {
    if let volume { measured = volume == .muted ? .notSpeaking : volume }
    if let signal { self.signal = signal }
  }

  /// A join or a change of mute tells the volume too: `muted`, or `notSpeaking` after it.
  mutating func restart(for mute: MuteState) {
    measured = .notSpeaking
    publishedVolume = volume(for: mute)
  }

  /// What others do not know yet; afterwards they do.
  mutating func takeChanges(for mute: MuteState) -> (VolumeLevel?, SignalStrength?) {
    let volume = volume(for: mute)
    defer { (publishedVolume, publishedSignal) = (volume, signal) }
    return (
      volume == publishedVolume ? nil : volume, signal == publishedSignal ? nil : signal
    )
  }
}
