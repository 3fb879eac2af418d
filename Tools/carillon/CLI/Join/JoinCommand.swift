internal import ArgumentParser
internal import CarillonClientCore
internal import MeetingViews
internal import Output

/// The command `carillon join`.
struct JoinCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Joins a meeting and shows its roster.",
    discussion: """
      Without --attendee, the command first creates an attendee. On a terminal it shows the \
      roster; m mutes or unmutes, and l or q leaves. Otherwise, and with --plain or --output json, \
      it prints lines: first the attendees who are present, then each change. It leaves the \
      meeting at Ctrl-C, and when the reader of its output exits. With --camera, the attendee \
      sends video; with --view or --record-h264, it receives the videos of the others.
      """)

  @OptionGroup var attendee: AttendeeOptions
  @Flag(help: "Mute after joining.") var mute = false
  @Flag(help: "Print lines, also on a terminal.") var plain = false
  @Option(
    help: ArgumentHelp(
      "Also show data messages with this topic; may be repeated.", valueName: "topic"))
  var topic: [String] = []
  @OptionGroup var video: JoinVideoOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await output.reportingFailure {
      let configuration = try await attendee.configuration(for: "join")
      let (news, arrivals) = AsyncStream.makeStream(of: JoinCommandEvent.self)
      let onLevel: @Sendable (AttendeeLevelChange) -> Void = { arrivals.yield(.level($0)) }
      let onEvent: @Sendable (ObservedEvent) -> Void = { arrivals.yield(.event($0)) }
      let film =
        video.isUsed
        ? try JoinVideo(video, configuration) { arrivals.yield(.video($0)) } : nil
      let client =
        film.map {
          MeetingEventClient($0.session, topics: topic, onLevel: onLevel, onEvent: onEvent)
        } ?? MeetingEventClient(configuration, topics: topic, onLevel: onLevel, onEvent: onEvent)
      let screen = isLive ? try JoinScreen(configuration, news: arrivals) : nil
      defer { screen?.close() }
      try client.start()
      let end = try await client.leavingWhenTold(or: .showing, beforeExit: { screen?.close() }) {
        await withTaskGroup(of: Void.self, returning: CommandFailure?.self) { tasks in
          tasks.addTask { await film?.report() }
          defer { tasks.cancelAll() }
          return await follow(news, of: client, film, on: screen)
        }
      }
      film?.stop()
      screen?.close()
      if let end { throw end }
    }
  }

  /// Whether to show a full-screen view: only on a capable terminal, and not with `--plain` or
  /// `--view`.
  private var isLive: Bool { !plain && !video.view && Terminal.canShowView(output.output) }

  /// Shows events until the session ends.
  ///
  /// - Returns: The error, or `nil` if the client left the meeting.
  private func follow(
    _ news: AsyncStream<JoinCommandEvent>, of client: MeetingEventClient, _ film: JoinVideo?,
    on screen: JoinScreen?
  ) async -> CommandFailure? {
    var view = screen?.view
    for await item in news {
      if let screen, var shown = view {
        screen.take(item, into: &shown, client)
        view = shown
      } else if case .event(let event) = item {
        output.print(event)
      } else if case .video(let record) = item {
        output.printVideo(record)
      }
      guard case .event(let event) = item else { continue }
      if event == .started {
        if mute { _ = client.setMuted(true) }
        film?.start()
      }
      guard case .ended(let status, let name) = event else { continue }
      return CommandSession.failure(status, name)
    }
    return nil
  }
}
