internal import Glibc
internal import LocalInstallation
internal import MeetingViews
internal import Output
internal import Trials

/// The steps in which a process or a connection fails. The server must not report any attendee as
/// dropped.
extension DemoScenario {
  /// Cuts Ben's connection for 1.5 s. The server reports an attendee as dropped only after 5 s.
  ///
  /// The 5 s start at Ben's last keep-alive, which may precede the cut by up to 1 s. A busy machine
  /// also needs time to reconnect.
  func clientCutOff(_ cast: ObservedClientGroup, _ relay: ByteRelay) async throws -> OutputRecord {
    let ben = cast.clients[1]
    let alone = ObservedClientGroup(clients: [ben])
    let mark = cast.mark
    let benMark = alone.mark
    relay.set(.cut)
    let noticed = try await alone.hear(
      "its connection was lost", since: benMark, within: Self.soon
    ) { $0 == .reconnecting }
    let length: Duration = .milliseconds(1500)
    try await Task.sleep(until: mark.time + length)
    relay.set(.open)
    let back = try await alone.hear(
      "it has reconnected", since: benMark, within: length + Self.soon
    ) { $0 == .reconnected }
    let heard = try await cast.exerciseMute(by: ben, since: cast.mark, within: Self.soon)
    try cast.requireNothing("a join, leave or drop", since: mark) { $0.isPresence }
    return [
      "cut_ms": JSONValue(length.milliseconds), "noticed": .object(noticed),
      "back": .object(back), "muted": .object(heard.mute),
    ]
  }

  /// Kills `presence`, which owns the roster, and checks that mutes still reach all clients.
  func presenceKilled(_ cast: ObservedClientGroup, _ installation: Installation) async throws
    -> OutputRecord
  {
    let mark = cast.mark
    let killed = try await kill("presence", of: installation)
    let heard = try await cast.exerciseMute(
      by: cast.clients[0], since: mark, within: Self.soon)
    let other = try await cast.exerciseMute(
      by: cast.clients[2], since: cast.mark, within: Self.soon)
    try cast.requireNothing("a join, leave or drop", since: mark) { $0.isPresence }
    return [
      "killed": JSONValue(killed), "muted": .object(heard.mute),
      "other_muted": .object(other.mute),
    ]
  }

  /// Kills the gateway to which all clients are connected, and waits until all clients have
  /// reconnected.
  func gatewayKilled(_ cast: ObservedClientGroup, _ installation: Installation) async throws
    -> OutputRecord
  {
    let mark = cast.mark
    let killed = try await kill("gateway", of: installation)
    let back = try await cast.hear("it has reconnected", since: mark, within: .seconds(30)) {
      $0 == .reconnected
    }
    let heard = try await cast.exerciseMute(
      by: cast.clients[0], since: cast.mark, within: Self.soon)
    let other = try await cast.exerciseMute(
      by: cast.clients[2], since: cast.mark, within: Self.soon)
    try cast.requireNothing("a join, leave or drop", since: mark) { $0.isPresence }
    return [
      "killed": JSONValue(killed), "back": .object(back), "muted": .object(heard.mute),
      "other_muted": .object(other.mute),
    ]
  }

  /// Kills a service.
  ///
  /// - Returns: The id of the killed process.
  func kill(_ service: String, of installation: Installation) async throws -> Int32 {
    guard let child = await installation.child(of: service) else {
      throw CommandFailure.precondition("\(service) does not run.")
    }
    child.signal(SIGKILL)
    return child.processID
  }
}
