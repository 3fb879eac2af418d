internal import ArgumentParser
internal import Foundation
internal import LocalInstallation
internal import MeetingViews
internal import Output
internal import Wire

/// The command `carillon tiles`.
struct TilesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tiles", abstract: "Shows which video each receiver in a meeting gets, and why.",
    discussion: """
      Each row is for one source and one receiver: the source's layers, the layer that is sent, \
      and the reason. On a terminal, the table is live, and q exits. Otherwise, and with --output \
      json, the command prints all rows, and then the rows that change. With --once, it prints all \
      rows and exits.
      """)

  @Argument(
    help: "The meeting's id.", completion: .custom(IDCompletions.meetings))
  var meeting: String
  @Flag(help: "Print the current state, and exit.") var once = false
  @Flag(help: "Print lines, also on a terminal.") var plain = false
  @OptionGroup var runtime: InstallationSelectionOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await output.reportingFailure {
      try await runtime.withOperator { connection in
        if once { try await printOnce(connection) } else { try await follow(connection) }
      }
    }
  }

  private var request: V1.WatchTilesRequest { V1.WatchTilesRequest(meetingID: meeting) }

  // MARK: - Once

  private func printOnce(_ connection: OperatorConnection) async throws {
    var view = TilesView(of: meeting)
    let update = try await connection.first(
      V1.OperatorMethods.watchTiles, request, within: .seconds(5))
    guard let update else {
      throw CommandFailure(
        code: "NOT_FOUND",
        message: "The meeting \(meeting) has ended; `carillon meeting list` shows live meetings.")
    }
    _ = view.apply(update)
    if !view.unknownAttendees.isEmpty { view.learn(try await connection.attendees(of: meeting)) }
    switch output.output {
    case .text: output.print(view.rows.map(\.cells))
    case .json: output.print(view.rows.map { $0.record() })
    }
  }

  // MARK: - Live

  private func follow(_ connection: OperatorConnection) async throws {
    let (news, arrivals) = AsyncStream.makeStream(
      of: TilesCommandEvent.self, bufferingPolicy: .bufferingOldest(1024))
    let isLive = !plain && Terminal.canShowView(output.output)
    let screen = isLive ? try TilesScreen(news: arrivals) : nil
    defer { screen?.close() }
    let signals = ShutdownSignals()
    let failure = await withTaskGroup(of: Void.self) { tasks in
      tasks.addTask { await watch(connection, telling: arrivals) }
      tasks.addTask { if await signals.next() != nil { arrivals.yield(.quit) } }
      tasks.addTask {
        await OutputReaderMonitor.waitUntilUnread()
        if !Task.isCancelled { arrivals.yield(.quit) }
      }
      defer { tasks.cancelAll() }
      return await show(news, of: connection, on: screen)
    }
    screen?.close()
    if let failure { throw failure }
  }

  /// Forwards updates, and subscribes again whenever the stream ends early.
  private func watch(
    _ connection: OperatorConnection, telling news: AsyncStream<TilesCommandEvent>.Continuation
  ) async {
    while !Task.isCancelled {
      do {
        let updates = try await connection.follow(V1.OperatorMethods.watchTiles, request)
        for try await update in updates {
          guard case .enqueued = news.yield(.update(update)) else {
            throw CommandFailure.unavailable(
              "The terminal showed the updates too slowly, so some are lost; run the command again."
            )
          }
        }
        if !Task.isCancelled { news.yield(.ended) }
        return
      } catch {
        news.yield(.lost(CommandFailure(error)))
      }
      do { try await Task.sleep(for: .milliseconds(300)) } catch { return }
    }
  }

  /// Shows updates until the meeting ends, the user quits, or the stream of updates fails
  /// permanently.
  ///
  /// - Returns: The error of the stream; `nil` if the meeting ended or the user quit.
  private func show(
    _ news: AsyncStream<TilesCommandEvent>, of connection: OperatorConnection,
    on screen: TilesScreen?
  ) async -> CommandFailure? {
    var view = TilesView(of: meeting)
    var asked: Set<String> = []
    var note: String? = "asking video-tiles"
    screen?.show(view, note: note)
    for await item in news {
      switch item {
      case .update(let update):
        let before = view.rows
        // The sequence of an update must follow the sequence of the previous update. Otherwise the
        // update is from a lost stream. The next stream starts with a snapshot.
        guard view.apply(update) else { continue }
        note = nil
        let unknownAttendees = view.unknownAttendees.subtracting(asked)
        if !unknownAttendees.isEmpty, let attendees = try? await connection.attendees(of: meeting) {
          asked.formUnion(unknownAttendees)
          view.learn(attendees)
        }
        if screen == nil { print(view.changes(since: before)) }
      case .lost(let failure):
        guard failure.exit == .unavailable else { return failure }
        if screen == nil, note == nil { Console.error("carillon: \(failure)") }
        note = "video-tiles is away, and asked again"
      case .ended: return nil
      case .quit: return nil
      case .redraw: screen?.invalidate()
      }
      screen?.show(view, note: note)
    }
    return nil
  }

  private func print(_ changes: [TilesView.Change]) {
    for change in changes {
      switch output.output {
      case .json: Console.out(change.row.record(isRemoved: change.isRemoved).json)
      case .text:
        let time = Date().formatted(.iso8601.time(includingFractionalSeconds: true))
        Console.out("\(time)  \(change.row.text(isRemoved: change.isRemoved))")
      }
    }
  }
}
