internal import LocalInstallation
internal import MeetingViews
internal import Output

/// The step that kills the owner of the data messages.
extension DemoScenario {
  /// Kills `messaging` while Ada and Ben send as fast as they can.
  ///
  /// The server must acknowledge every message, and every client must receive each message of the
  /// other clients once and in order.
  func messagingKilled(_ chat: DemoMessageClients, _ installation: Installation) async throws
    -> OutputRecord
  {
    let listeners = [chat.ada, chat.ben, chat.eve].map { (client: any ObservedClient) in
      let alone = ObservedClientGroup(clients: [client])
      return (cast: alone, mark: alone.mark)
    }
    let load = MessageLoad(senders: [chat.ada, chat.ben], countEach: 100)
    var killed: Int32 = 0
    let sent = try await load.run(within: .seconds(90), at: 50) {
      killed = try await kill("messaging", of: installation)
    }
    var arrived = OutputRecord()
    for (cast, mark) in listeners {
      for client in cast.clients {
        let expected = sent.logged(exceptBy: client.name)
        _ = try await cast.hear(expected, on: .load, since: mark, within: Self.messageLimit)
        arrived[client.name] = JSONValue(expected.count)
      }
    }
    return [
      "killed": JSONValue(killed), "acknowledged": JSONValue(sent.acknowledgements.count),
      "before_the_kill": 50, "throttled": JSONValue(sent.refusals),
      "longest_pause_ms": JSONValue(sent.longestPause.milliseconds), "arrived": .object(arrived),
    ]
  }
}
