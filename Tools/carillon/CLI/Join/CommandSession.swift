internal import CarillonClientCore
internal import LocalInstallation
internal import MeetingViews
internal import Output

/// The purpose of a command's session in a meeting.
enum CommandSessionPurpose: Hashable, Sendable {
  /// The command shows the events of the meeting, and leaves when standard output no longer has a
  /// reader.
  case showing
  /// The command acts in the meeting, even if its output has no reader.
  case doing
}

/// A session, from its start to its end, in which a command performs one task.
struct CommandSession: Sendable {
  let client: MeetingEventClient
  /// All events until the end, for one reader at a time.
  let events: AsyncStream<ObservedEvent>

  /// Starts to join, runs `work`, and leaves the meeting.
  ///
  /// At the first SIGINT or SIGTERM, the session leaves the meeting. The second signal ends the
  /// process.
  ///
  /// - Parameters:
  ///   - purpose: The purpose of the session.
  ///   - topics: The topics of the data messages to include in the events.
  ///   - transcripts: The options for the transcript lines in the events; `nil` omits the
  ///     transcript.
  ///   - work: The task of the session. This method calls `work` when the client begins to join, so
  ///     the session may not have started; see ``waitUntilStarted()``.
  static func run<Result>(
    _ configuration: MeetingSessionConfiguration, for purpose: CommandSessionPurpose,
    topics: [String] = [], transcripts: TranscriptViewOptions? = nil,
    _ work: (CommandSession) async throws -> Result
  ) async throws -> Result {
    let (events, arrivals) = AsyncStream.makeStream(of: ObservedEvent.self)
    let client = MeetingEventClient(configuration, topics: topics) { event in
      arrivals.yield(event)
      if event.isEnd { arrivals.finish() }
    }
    if let transcripts { try client.readTranscripts(transcripts) }
    let visit = CommandSession(client: client, events: events)
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

  /// Waits until the session has started.
  ///
  /// - Throws: ``CommandFailure`` when the session ends without having started.
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

  /// Returns the error of an ended session; `nil` if the client left the meeting.
  static func failure(_ status: Int, _ name: String) -> CommandFailure? {
    guard status != MeetingSessionStatusCode.ok.rawValue else { return nil }
    let isOut = status == MeetingSessionStatusCode.audioServiceUnavailable.rawValue
    return CommandFailure(
      code: name,
      message:
        """
        The session ended with status \(status); docs/reference/status-codes.md \
        explains it.
        """,
      exit: isOut ? .unavailable : .failed)
  }

  /// Leaves the meeting, and waits until the server has acknowledged the leave or the time limit
  /// has passed.
  private func leave() async {
    client.stop()
    for await _ in events {}
  }
}

extension CommandFailure {
  /// The error to report if a signal ends the command before its work is done.
  fileprivate static let left = CommandFailure(
    code: "CANCELLED", message: "A signal ended the command before its work was done.")
}

extension MeetingEventClient {
  /// Runs `work`. At the first signal, the session leaves the meeting. The second signal ends the
  /// process.
  ///
  /// - Parameters:
  ///   - purpose: The purpose of the session. A session that shows events also ends when the output
  ///     has no reader.
  ///   - beforeExit: Called before the second signal ends the process.
  func leavingWhenTold<Result>(
    or purpose: CommandSessionPurpose, beforeExit: @escaping @Sendable () -> Void = {},
    _ work: () async throws -> Result
  ) async throws -> Result {
    try await ShutdownSignals.heeding({ self.stop() }, beforeExit: beforeExit) {
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        if purpose == .showing {
          tasks.addTask {
            await OutputReaderMonitor.waitUntilUnread()
            if !Task.isCancelled { self.stop() }
          }
        }
        defer { tasks.cancelAll() }
        return try await work()
      }
    }
  }
}
