internal import ArgumentParser
internal import MeetingModel
internal import Output
internal import Storage

/// The command `carillon events`.
struct EventsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "Shows the events that clients reported about their sessions.",
    discussion: """
      Clients send these events to the EventIngestionUrl of their meeting. An event says, for \
      example, that a session started, why it failed, how long it took to connect, or that a \
      device was lost. Each event is one line of JSON.
      """,
    subcommands: [Export.self, Tail.self])
}

/// The options that select events and their store.
struct EventsOptions: ParsableArguments {
  @Option(
    help: "Show only events of this meeting and its replicas.",
    transform: { text in try MeetingID(text) })
  var meeting: MeetingID?
  @OptionGroup var data: DataDirectoryOptions
  @OptionGroup var output: OutputOptions

  private static let pageSize = 500

  func store() throws -> ClientEventsStore {
    try ClientEventsStore(in: data.location(having: "client-events.sqlite"))
  }

  /// Prints the events whose numbers are higher than `number`.
  ///
  /// - Returns: The number of the last event.
  func print(from store: ClientEventsStore, after number: Int64) async throws -> Int64 {
    var last = number
    while true {
      let page = try await store.events(of: meeting, after: last, limit: Self.pageSize)
      for event in page { Console.out(event.line) }
      last = page.last?.number ?? last
      if page.count < Self.pageSize || OutputReaderMonitor.isUnread() { return last }
    }
  }
}

extension EventsCommand {
  /// The command `carillon events export`.
  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints all stored events that clients reported, oldest first.")

    @Option(help: "Print only events with a higher number, such as that of the last export.")
    var after: Int64 = 0
    @OptionGroup var events: EventsOptions

    func run() async throws {
      try await events.output.reportingFailure {
        _ = try await events.print(from: try events.store(), after: after)
      }
    }
  }

  /// The command `carillon events tail`.
  struct Tail: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: """
        Prints events that clients report, until Ctrl-C or until the reader of its output exits.
        """)

    @OptionGroup var events: EventsOptions

    func run() async throws {
      try await events.output.reportingFailure {
        let store = try events.store()
        var last = try await store.lastNumber()
        // Other processes write the file, so this command can only poll the file.
        while !OutputReaderMonitor.isUnread() {
          last = try await events.print(from: store, after: last)
          try await Task.sleep(for: .milliseconds(250))
        }
      }
    }
  }
}

extension StoredClientEvent {
  /// The event as one line of JSON, with the client's own JSON as metadata and payload.
  fileprivate var line: String {
    let known: OutputRecord = [
      "number": .integer(Int(number)), "received_at_ms": .integer(Int(event.receivedAtMs)),
      "meeting_id": .text(event.meeting.text),
      "primary_meeting_id": event.primary.map { .text($0.text) } ?? .null,
      "attendee_id": .text(event.attendee.text),
      "external_user_id": event.externalUserID.map { .text($0.text) } ?? .null,
      "id": .text(event.id), "name": .text(event.name),
    ]
    return known.json.dropLast()
      + ", \"metadata\": \(event.metadata), \"payload\": \(event.payload)}"
  }
}
