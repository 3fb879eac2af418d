internal import CarillonClientCore
internal import LocalInstallation
internal import MeetingViews
internal import Output

/// What a command is in a meeting for.
enum VisitPurpose: Hashable, Sendable {
  /// To show what happens there: it leaves when nobody reads standard output any more.
  case showing
  /// To do something there, whoever reads what it prints.
  case doing
}

/// A session from its start to its end, in which a command does one thing.
struct MeetingVisit: Sendable {
  let client: MeetingClient
  /// All that is heard up to the end, for one reader at a time.
  let events: AsyncStream<ClientEvent>

  /// Joins, does something in the meeting, and leaves. SIGINT and SIGTERM leave too, a second one
  /// ends the process.
  ///
  /// - Parameters:
  ///   - purpose: What for.
  ///   - topics: Data messages on these are among the events.
  ///   - transcripts: With one, what is said is among the events.
  ///   - work: Begins before the session has started.
  static func run<Result>(
    _ configuration: MeetingSessionConfiguration, for purpose: VisitPurpose,
    topics: [String] = [], transcripts: TranscriptViewOptions? = nil,
    _ work: (MeetingVisit) async throws -> Result
  ) async throws -> Result {
    let (events, arrivals) = AsyncStream.makeStream(of: ClientEvent.self)
    let client = MeetingClient(configuration, topics: topics) { event in
      arrivals.yield(event)
      if event.isEnd { arrivals.finish() }
    }
    if let transcripts { try client.readTranscripts(transcripts) }
    let visit = MeetingVisit(client: client, events: events)
    try client.start()
    return try await client.leavingWhenTold(or: purpose) {
      do {
        let result = try await work(visit)
        await visit.leave()
        return result
      } catch {
        await visit.leave()
        throw error
      }
    }
  }

  /// Returns when the session has started.
  ///
  /// - Throws: ``CommandFailure`` when it ends instead.
  func waitUntilStarted() async throws(CommandFailure) {
    for await event in events {
      switch event {
      case .started: return
      case .ended(let status, let name): throw Self.failure(status, name) ?? .left
      case .reconnecting, .reconnected, .attendee, .message, .throttled, .messagesResumed,
        .transcript, .promotion:
        continue
      }
    }
    throw .left
  }

  /// What is wrong with the end of a session; `nil` after leaving.
  static func failure(_ status: Int, _ name: String) -> CommandFailure? {
    guard status != MeetingSessionStatusCode.ok.rawValue else { return nil }
    let isOut = status == MeetingSessionStatusCode.audioServiceUnavailable.rawValue
    return CommandFailure(
      code: name, message: "The session ended with status \(status).",
      exit: isOut ? .unavailable : .failed)
  }

  /// Returns when the server has heard of it, or when that took too long.
  private func leave() async {
    client.stop()
    for await _ in events {}
  }
}

extension CommandFailure {
  /// Somebody at the keyboard changed their mind.
  fileprivate static let left = CommandFailure(
    code: "CANCELLED", message: "The meeting was left before it was done.")
}

extension MeetingClient {
  /// Does something; meanwhile a signal leaves the meeting, and a second one ends the process.
  ///
  /// - Parameters:
  ///   - purpose: What for: a meeting is left also when there is nobody to show it to.
  ///   - beforeExit: Called before the process ends so.
  func leavingWhenTold<Result>(
    or purpose: VisitPurpose, beforeExit: @escaping @Sendable () -> Void = {},
    _ work: () async throws -> Result
  ) async throws -> Result {
    try await Signals.heeding({ self.stop() }, beforeExit: beforeExit) {
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        if purpose == .showing {
          tasks.addTask {
            await StandardOutput.waitUntilUnread()
            if !Task.isCancelled { self.stop() }
          }
        }
        defer { tasks.cancelAll() }
        return try await work()
      }
    }
  }
}
