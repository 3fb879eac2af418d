import Wire

/// The last volume and signal strength of each present participant, merged from volatile events.
struct ParticipantLevels {
  private var volumes: [String: V1.VolumeLevel] = [:]
  private var signals: [String: V1.SignalStrength] = [:]

  /// The tick of the last merged update.
  private(set) var tick: UInt64 = 0

  mutating func update(with events: V1.SessionEvents) {
    for case .levelsChanged(let change) in events.events.compactMap(\.event) {
      tick = change.tick
      for volume in change.volumes { volumes[volume.attendeeID] = volume.level }
      for signal in change.signals { signals[signal.attendeeID] = signal.strength }
    }
  }

  mutating func replace(with snapshot: V1.RosterSnapshot) {
    (volumes, signals, tick) = ([:], [:], snapshot.tick)
    for entry in snapshot.entries {
      guard let id = entry.attendee?.attendeeID else { continue }
      volumes[id] = entry.volume
      signals[id] = entry.signal
    }
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
