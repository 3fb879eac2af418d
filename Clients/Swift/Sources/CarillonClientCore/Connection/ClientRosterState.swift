internal import MeetingModel
internal import Wire

/// The roster of one session, computed from the server's snapshots and events.
///
/// The roster is a value without I/O: it applies session events, and returns the changes for
/// observers. The roster compares a snapshot with its own state, so that the roster returns exactly
/// the joins and drops that the session missed. A new epoch can mean that the roster's owner
/// restarted and does not know all sessions yet. So if an attendee is missing from the first
/// snapshot of a new epoch, the roster drops the attendee only in ``confirmMissing()``.
struct ClientRosterState: Sendable {
  /// The changes that an event made.
  struct Change: Sendable {
    var presence: [AttendeePresenceReport] = []
    var volumes: [VolumeReport]?
    var signals: [SignalReport]?

    /// Whether the change contains the levels of all attendees, as a change from a snapshot does.
    /// Otherwise, the change contains only the levels of the attendees in the event.
    ///
    /// So an event costs little in a large meeting.
    var hasAllLevels = false

    /// Whether a missing attendee may still return. If so, the caller must call
    /// ``ClientRosterState/confirmMissing()`` after the drop timeout.
    var hasMissing = false
  }

  private struct Entry: Sendable {
    var externalUserId: String
    var displayName: String
    var isMuted: Bool
    var volume: VolumeLevel
    var signal: SignalStrength?
  }

  private var entries: [String: Entry] = [:]

  /// The attendees, by id, whom observers know but who are missing from the last snapshot. These
  /// attendees may still return.
  private var missing: [String: Entry] = [:]
  private var epoch: UInt64 = 0
  private var tick: UInt64 = 0

  /// For each attendee id, whether an operator has muted the attendee, according to the last
  /// report.
  private(set) var isMutedByOperator: [String: Bool] = [:]

  mutating func apply(_ event: V1.SessionEvent) -> Change {
    switch event.event {
    case .rosterSnapshot(let snapshot): apply(snapshot)
    case .presenceChanged(let change): apply(change)
    case .muteChanged(let change): apply(change)
    case .levelsChanged(let change): apply(change)
    default: Change()
    }
  }

  private mutating func apply(_ snapshot: V1.RosterSnapshot) -> Change {
    let present = Set(snapshot.entries.compactMap(\.attendee?.attendeeID))
    let isContinued = snapshot.epoch == epoch
    var change = Change()
    for (id, entry) in entries where !present.contains(id) { missing[id] = entry }
    for id in present { missing[id] = nil }
    if isContinued {
      change.presence = drops()
    } else {
      change.hasMissing = !missing.isEmpty
    }
    entries = [:]
    isMutedByOperator = [:]
    (epoch, tick) = (snapshot.epoch, snapshot.tick)
    for entry in snapshot.entries {
      guard let attendee = entry.attendee else { continue }
      entries[attendee.attendeeID] = Entry(
        externalUserId: attendee.externalUserID, displayName: attendee.displayName,
        isMuted: entry.isMuted, volume: VolumeLevel(entry.volume),
        signal: SignalStrength(entry.signal))
      isMutedByOperator[attendee.attendeeID] = entry.isMutedByOperator
      change.presence.append(
        AttendeePresenceReport(
          attendeeId: attendee.attendeeID, externalUserId: attendee.externalUserID, status: .joined,
          displayName: attendee.displayName))
    }
    // The change also contains the levels of missing attendees, who may still return. Otherwise
    // their return would count as a change of their levels.
    let known = Array(entries.keys) + missing.keys
    change.volumes = volumes(of: known)
    change.signals = signals(of: known)
    change.hasAllLevels = true
    return change
  }

  /// Drops the attendees who are still missing.
  mutating func confirmMissing() -> Change { Change(presence: drops()) }

  private mutating func drops() -> [AttendeePresenceReport] {
    defer { missing = [:] }
    return missing.sorted { $0.key < $1.key }.map {
      AttendeePresenceReport(
        attendeeId: $0.key, externalUserId: $0.value.externalUserId, status: .dropped,
        displayName: $0.value.displayName)
    }
  }

  private mutating func apply(_ presence: V1.PresenceChanged) -> Change {
    var change = Change()
    var joined: [String] = []
    for item in presence.changes {
      guard let attendee = item.attendee else { continue }
      let id = attendee.attendeeID
      missing[id] = nil
      let status: AttendeeStatus
      switch item.state {
      case .joined:
        status = .joined
        entries[id] = Entry(
          externalUserId: attendee.externalUserID, displayName: attendee.displayName,
          isMuted: item.isMuted, volume: .notSpeaking, signal: nil)
        isMutedByOperator[id] = item.isMutedByOperator
        joined.append(id)
      case .left:
        status = .left
        forget(id)
      case .dropped:
        status = .dropped
        forget(id)
      case .unspecified, .unrecognized:
        continue
      }
      change.presence.append(
        AttendeePresenceReport(
          attendeeId: id, externalUserId: attendee.externalUserID, status: status,
          displayName: attendee.displayName))
    }
    change.volumes = joined.isEmpty ? nil : volumes(of: joined)
    return change
  }

  private mutating func forget(_ id: String) {
    entries[id] = nil
    isMutedByOperator[id] = nil
  }

  private mutating func apply(_ mute: V1.MuteChanged) -> Change {
    for item in mute.changes {
      entries[item.attendeeID]?.isMuted = item.isMuted
      isMutedByOperator[item.attendeeID] = item.isMutedByOperator
    }
    return Change(volumes: volumes(of: mute.changes.map(\.attendeeID)))
  }

  private mutating func apply(_ levels: V1.LevelsChanged) -> Change {
    guard levels.epoch == epoch, levels.tick > tick else { return Change() }
    tick = levels.tick
    for item in levels.volumes { entries[item.attendeeID]?.volume = VolumeLevel(item.level) }
    for item in levels.signals {
      entries[item.attendeeID]?.signal = SignalStrength(item.strength)
    }
    return Change(
      volumes: levels.volumes.isEmpty ? nil : volumes(of: levels.volumes.map(\.attendeeID)),
      signals: levels.signals.isEmpty ? nil : signals(of: levels.signals.map(\.attendeeID)))
  }

  /// Returns the volumes of the attendees who are present, in order of their ids; `muted` overrides
  /// the measured level.
  private func volumes(of ids: some Sequence<String>) -> [VolumeReport] {
    ids.sorted().compactMap { id in
      (entries[id] ?? missing[id]).map { entry in
        VolumeReport(
          attendeeId: id, externalUserId: entry.externalUserId,
          level: entry.isMuted ? .muted : entry.volume, displayName: entry.displayName)
      }
    }
  }

  /// Returns the known signal strengths, in order of the attendees' ids.
  private func signals(of ids: some Sequence<String>) -> [SignalReport] {
    ids.sorted().compactMap { id in
      guard let entry = entries[id] ?? missing[id], let signal = entry.signal else { return nil }
      return SignalReport(
        attendeeId: id, externalUserId: entry.externalUserId, strength: signal,
        displayName: entry.displayName)
    }
  }
}

extension VolumeLevel {
  /// Creates a level that does not include the mute. `ClientRosterState` keeps the mute separately.
  fileprivate init(_ level: V1.VolumeLevel) {
    let level = MeetingModel.VolumeLevel(level)?.inFacade(as: VolumeLevel.self) ?? .notSpeaking
    self = level == .muted ? .notSpeaking : level
  }
}

extension SignalStrength {
  fileprivate init?(_ strength: V1.SignalStrength) {
    guard let twin = MeetingModel.SignalStrength(strength)?.inFacade(as: Self.self) else {
      return nil
    }
    self = twin
  }
}
