import MeetingModel

/// One participant as its roster knows it.
struct Participant: Hashable, Sendable {
  let identity: ParticipantIdentity
  var session: SessionID
  var contact: Contact
  var mute: MuteState
  var capabilities: AttendeeCapabilities
  var levels = Levels()

  /// Whether it belongs to a replica and acts here until any disconnect.
  var isPromoted: Bool

  /// Milliseconds since 1970-01-01T00:00:00Z.
  let joinedAt: UInt64

  /// Its place in the order of joins.
  let ordinal: UInt64

  var id: ParticipantID { identity.id }

  /// Whether it takes one of the meeting's seats.
  var takesSeat: Bool { !id.isContent && !contact.isDeparting }

  /// What it looks like to the others.
  var entry: RosterEntry {
    RosterEntry(
      identity: identity, mute: mute, volume: levels.volume(for: mute), signal: levels.signal,
      capabilities: capabilities, joinedAt: joinedAt)
  }
}

/// Who somebody is, in every event about it.
struct ParticipantIdentity: Hashable, Sendable {
  let id: ParticipantID
  let externalUserID: ExternalUserID
}

/// Whether presence can count on hearing of a participant.
enum Contact: Hashable, Sendable {
  /// Its gateway has it.
  case connected(GatewayName)
  /// Its gateway lost it; it was last heard then.
  case detached(GatewayName, lastHeard: ContinuousClock.Instant)
  /// Its gateway vanished then.
  case orphaned(GatewayName, since: ContinuousClock.Instant)
  /// It is gone, but that is not told before recovery is over.
  case departing(Departure)

  /// Through which gateway it was last heard.
  var gateway: GatewayName? {
    switch self {
    case .connected(let gateway), .detached(let gateway, _), .orphaned(let gateway, _): gateway
    case .departing: nil
    }
  }

  var isConnected: Bool {
    if case .connected = self { true } else { false }
  }

  var isDeparting: Bool {
    if case .departing = self { true } else { false }
  }

  /// When it is given up unless it comes back, and what is said then.
  func end(by rules: PresenceRules) -> (at: ContinuousClock.Instant, as: Departure)? {
    switch self {
    case .connected, .departing: nil
    case .detached(_, let lastHeard): (lastHeard + rules.dropAfter, .connectionLost)
    case .orphaned(_, let since): (since + rules.gatewayGrace, .gatewayLost)
    }
  }
}

/// How loud and how well connected a participant is.
struct Levels: Hashable, Sendable {
  /// As media measured it. What is published of a muted participant is `muted`.
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
