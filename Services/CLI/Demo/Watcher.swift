internal import CarillonClient

/// A client of the Swift library, in this process.
struct Watcher: WatchedClient {
  let name: String
  let attendeeID: String
  let journal = ClientJournal()
  private let client: MeetingClient

  /// - Parameter topics: Whose data messages it hears.
  init(_ configuration: MeetingSessionConfiguration, topics: [DemoTopic] = []) {
    name = configuration.credentials.externalUserId
    attendeeID = configuration.credentials.attendeeId
    client = MeetingClient(configuration, topics: topics.map(\.rawValue)) { [journal] in
      journal.record($0)
    }
  }

  func start() throws { try client.start() }

  func setMuted(_ isMuted: Bool) -> Bool { client.setMuted(isMuted) }

  func stop() { client.stop() }

  var lastWords: String { "" }
}

/// What it sends.
extension Watcher {
  /// Sends one data message.
  ///
  /// - Returns: Its place in the log, once it is there.
  func send(_ data: Any, on topic: DemoTopic, lifetimeMs: Int32 = 0) async throws -> UInt64 {
    do {
      return try await client.send(data, on: topic.rawValue, lifetimeMs: lifetimeMs).sequence
    } catch {
      throw CommandFailure(sending: error)
    }
  }

  /// Sends one data message, again and again while the meeting has too many.
  ///
  /// - Returns: Where it is in the log, and how often it came back before.
  func sendPatiently(
    _ text: String, on topic: DemoTopic
  ) async throws -> (logged: LoggedData, refusals: Int) {
    var refusals = 0
    while true {
      do {
        let receipt = try await client.send(text, on: topic.rawValue)
        return (LoggedData(sequence: receipt.sequence, data: Array(text.utf8)), refusals)
      } catch DataMessageFailure.throttled(let waitMs) {
        refusals += 1
        try await Task.sleep(for: .milliseconds(waitMs))
      } catch {
        throw CommandFailure(sending: error)
      }
    }
  }

  /// Sends data messages without waiting for one before the next.
  ///
  /// - Returns: What became of each, in their order.
  func sendAtOnce(_ texts: [String], on topic: DemoTopic) async throws -> [SendOutcome] {
    let (outcomes, arrivals) = AsyncStream.makeStream(of: (Int, SendOutcome).self)
    for (index, text) in texts.enumerated() {
      try client.send(text, on: topic.rawValue) { result in
        arrivals.yield((index, SendOutcome(result, text)))
      }
    }
    var found: [Int: SendOutcome] = [:]
    for await (index, outcome) in outcomes {
      found[index] = outcome
      if found.count == texts.count { break }
    }
    return texts.indices.compactMap { found[$0] }
  }
}
