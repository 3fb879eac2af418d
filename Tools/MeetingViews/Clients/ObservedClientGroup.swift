package import Output

/// Clients of one meeting, watched together.
package struct ObservedClientGroup: Sendable {
  package let clients: [any ObservedClient]
  /// The checkpoint before the first event.
  package let beginning: Checkpoint

  package init(clients: [any ObservedClient]) {
    self.clients = clients
    beginning = Checkpoint(time: .now, counts: clients.map { _ in 0 })
  }

  /// A point in time, and the number of events that each client had received by then.
  package struct Checkpoint: Sendable {
    package let time: ContinuousClock.Instant
    fileprivate let counts: [Int]
  }

  /// The current checkpoint. A search since this checkpoint finds only later events.
  package var mark: Checkpoint { Checkpoint(time: .now, counts: clients.map(\.journal.count)) }

  /// Waits until every client has received an event.
  ///
  /// - Returns: The time from `mark` until each client received the event, in milliseconds.
  /// - Throws: ``CommandFailure`` with the names of the clients that did not receive the event in
  ///   time, and the events that these clients received.
  package func hear(
    _ what: String, since mark: Checkpoint, within limit: Duration,
    where matches: @escaping @Sendable (ObservedEvent) -> Bool
  ) async throws -> OutputRecord {
    let deadline = mark.time + limit
    let times = await withTaskGroup(of: (Int, Int?).self) { tasks in
      for (index, client) in clients.enumerated() {
        tasks.addTask {
          let entry = await client.journal.first(
            from: mark.counts[index], until: deadline, where: matches)
          return (index, entry.map { ($0.time - mark.time).milliseconds })
        }
      }
      return await tasks.reduce(into: [Int: Int?]()) { $0[$1.0] = $1.1 }
    }
    var seen = OutputRecord()
    for (index, client) in clients.enumerated() {
      guard let time = times[index] ?? nil else {
        let heard = client.journal.entries(from: mark.counts[index]).map { $0.event.record.json }
        throw CommandFailure(
          code: "DEADLINE_EXCEEDED",
          message: "\(client.name) did not receive within \(limit): \(what); "
            + "it received [\(heard.joined(separator: ", "))]. \(client.lastWords)")
      }
      seen[client.name] = JSONValue(time)
    }
    return seen
  }

  /// Waits until every client has received a change of an attendee.
  package func hear(
    _ change: ObservedEvent.Change, _ attendee: any ObservedClient, since mark: Checkpoint,
    within limit: Duration
  ) async throws -> OutputRecord {
    let id = attendee.attendeeID
    return try await hear("\(attendee.name) \(change.rawValue)", since: mark, within: limit) {
      $0.says(change, id)
    }
  }

  /// Returns the matching events since a checkpoint, by client. The result omits clients without a
  /// matching event.
  package func heard(
    since mark: Checkpoint, where matches: (ObservedEvent) -> Bool
  ) -> [String: [ObservedEvent]] {
    var heard: [String: [ObservedEvent]] = [:]
    for (index, client) in clients.enumerated() {
      let events = client.journal.entries(from: mark.counts[index]).map(\.event).filter(matches)
      if !events.isEmpty { heard[client.name] = events }
    }
    return heard
  }

  /// Checks that no client received an event that must not occur.
  ///
  /// - Throws: ``CommandFailure`` if a client received a matching event.
  package func requireNothing(
    _ what: String, since mark: Checkpoint, where matches: (ObservedEvent) -> Bool
  ) throws {
    guard let (name, events) = heard(since: mark, where: matches).first else { return }
    throw CommandFailure(
      code: "FALSE_EVENT",
      message: "\(name) received \(what): \(events.map(\.record.json).joined(separator: ", "))")
  }

  /// Checks for the length of `time` that no attendee joins or leaves.
  ///
  /// - Throws: ``CommandFailure`` as soon as a client receives a join or leave event.
  package func requireNobodyMoves(for time: Duration) async throws {
    let mark = self.mark
    let isQuiet = await withTaskGroup(of: Bool.self) { tasks in
      for (index, client) in clients.enumerated() {
        tasks.addTask {
          await client.journal.first(from: mark.counts[index], until: mark.time + time) {
            $0.isPresence
          } == nil
        }
      }
      defer { tasks.cancelAll() }
      return await tasks.first { !$0 } == nil
    }
    if !isQuiet { try requireNothing("a join, leave or drop", since: mark) { $0.isPresence } }
  }

  /// Mutes and unmutes an attendee, and checks that every client receives a notification of both
  /// changes.
  ///
  /// Success shows that the path through all services works.
  ///
  /// - Returns: For each client, two delays in milliseconds: from `mark` to the client's
  ///   notification of the mute, and from the request to unmute to the client's notification of the
  ///   unmute.
  package func exerciseMute(
    by client: any ObservedClient, since mark: Checkpoint, within limit: Duration
  ) async throws -> (mute: OutputRecord, unmute: OutputRecord) {
    try requireTaken(client.setMuted(true), "mute", client)
    let muted = try await hear(.muted, client, since: mark, within: limit)
    let unmuting = self.mark
    try requireTaken(client.setMuted(false), "unmute", client)
    return (muted, try await hear(.unmuted, client, since: unmuting, within: limit))
  }

  private func requireTaken(
    _ isTaken: Bool, _ what: String, _ client: any ObservedClient
  ) throws(CommandFailure) {
    guard isTaken else {
      throw CommandFailure(code: "REFUSED", message: "\(client.name) could not \(what).")
    }
  }
}
