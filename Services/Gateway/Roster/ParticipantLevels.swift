import Wire

/// The last volume and signal strength of each present participant, merged from volatile events and
/// from changes of mutes.
struct ParticipantLevels {
  /// The version of the levels. Caches compare editions to find out whether the levels have
  /// changed.
  struct Edition: Hashable {
    /// The tick of the last merged update.
    var tick: UInt64 = 0

    /// The number of merged changes of mutes. These changes have no tick.
    var mutes = 0
  }

  private var volumes: [String: V1.VolumeLevel] = [:]
  private var signals: [String: V1.SignalStrength] = [:]
  private(set) var edition = Edition()

  /// The tick of the last merged update.
  var tick: UInt64 { edition.tick }

  mutating func update(with events: V1.SessionEvents) {
    for case .levelsChanged(let change) in events.events.compactMap(\.event) {
      edition.tick = change.tick
      for volume in change.volumes { volumes[volume.attendeeID] = volume.level }
      for signal in change.signals { signals[signal.attendeeID] = signal.strength }
    }
  }

  mutating func replace(with snapshot: V1.RosterSnapshot) {
    (volumes, signals, edition.tick) = ([:], [:], snapshot.tick)
    for entry in snapshot.entries {
      guard let id = entry.attendee?.attendeeID else { continue }
      volumes[id] = entry.volume
      signals[id] = entry.signal
    }
  }

  /// Applies the volume that a change of a mute implies. `presence` does not publish this volume
  /// separately.
  ///
  /// A participant without a published volume does not speak, so the participant's volume needs no
  /// change.
  mutating func apply(_ change: V1.MuteChange) {
    guard volumes[change.attendeeID] != nil else { return }
    let isMuted = change.isMuted || change.isMutedByOperator
    volumes[change.attendeeID] = isMuted ? .muted : .notSpeaking
    edition.mutes += 1
  }

  /// Removes a participant who has left.
  mutating func forget(_ participant: String) {
    volumes[participant] = nil
    signals[participant] = nil
  }

  func all(epoch: UInt64) -> V1.LevelsChanged {
    V1.LevelsChanged(
      epoch: epoch, tick: tick,
      volumes: volumes.sorted { $0.key < $1.key }.map {
        .init(attendeeID: $0.key, level: $0.value)
      },
      signals: signals.sorted { $0.key < $1.key }.map {
        .init(attendeeID: $0.key, strength: $0.value)
      })
  }
}
