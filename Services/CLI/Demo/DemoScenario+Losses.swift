internal import Glibc

/// The steps in which something breaks and nobody may be said to have gone.
extension DemoScenario {
  /// Ben's cable is cut for less than the time after which he would be reported as dropped, which
  /// counts from his last sign of life: up to a second before the cut.
  func clientCutOff(_ cast: DemoCast, _ relay: CutRelay) async throws -> Record {
    let ben = cast.clients[1]
    let alone = DemoCast(clients: [ben])
    let mark = cast.mark
    let benMark = alone.mark
    relay.cut()
    let noticed = try await alone.hear(
      "its connection was lost", since: benMark, within: .seconds(4)
    ) { $0 == .reconnecting }
    let length: Duration = .seconds(3)
    try await Task.sleep(until: mark.time + length)
    try relay.connect()
    let back = try await alone.hear(
      "it is connected again", since: benMark, within: length + Self.soon
    ) { $0 == .reconnected }
    let heard = try await cast.exerciseMute(by: ben, since: cast.mark, within: Self.soon)
    try cast.requireNothing("somebody coming or going", since: mark) { $0.isPresence }
    return [
      "cut_ms": JSONValue(length.milliseconds), "noticed": .object(noticed),
      "back": .object(back), "muted": .object(heard.mute),
    ]
  }

  /// The roster's owner dies; within three seconds it knows all of it again.
  func presenceKilled(_ cast: DemoCast, _ installation: Installation) async throws -> Record {
    let mark = cast.mark
    let killed = try await kill("presence", of: installation)
    let heard = try await cast.exerciseMute(
      by: cast.clients[0], since: mark, within: .seconds(3))
    let other = try await cast.exerciseMute(
      by: cast.clients[2], since: cast.mark, within: Self.soon)
    try cast.requireNothing("somebody coming or going", since: mark) { $0.isPresence }
    return [
      "killed": JSONValue(killed), "muted": .object(heard.mute),
      "other_muted": .object(other.mute),
    ]
  }

  /// The process that all clients are connected to dies; within five seconds all are back.
  func gatewayKilled(_ cast: DemoCast, _ installation: Installation) async throws -> Record {
    let mark = cast.mark
    let killed = try await kill("gateway", of: installation)
    let back = try await cast.hear("it is connected again", since: mark, within: .seconds(5)) {
      $0 == .reconnected
    }
    let heard = try await cast.exerciseMute(
      by: cast.clients[0], since: cast.mark, within: Self.soon)
    let other = try await cast.exerciseMute(
      by: cast.clients[2], since: cast.mark, within: Self.soon)
    try cast.requireNothing("somebody coming or going", since: mark) { $0.isPresence }
    return [
      "killed": JSONValue(killed), "back": .object(back), "muted": .object(heard.mute),
      "other_muted": .object(other.mute),
    ]
  }

  /// - Returns: The id of the process that was killed.
  func kill(_ service: String, of installation: Installation) async throws -> Int32 {
    guard let child = await installation.child(of: service) else {
      throw CommandFailure.precondition("\(service) does not run.")
    }
    child.signal(SIGKILL)
    return child.processID
  }
}
