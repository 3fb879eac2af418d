internal import ArgumentParser
internal import Bus
internal import CarillonClientCore
internal import Foundation
internal import LocalInstallation
internal import MeetingViews
internal import Output
internal import Wire

/// The command `carillon load`.
struct LoadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Fills a meeting with clients, and prints measurements.",
    discussion: """
      The command creates a meeting and lets clients of the Swift library join it, sixteen at a \
      time. The clients take turns to send data messages to all others, and then the command \
      deletes the meeting. It prints the times of joins and deliveries in microseconds, the lost \
      messages, and the processor time of each instance while messages were sent, from the \
      instance's metrics; --metrics adds instances of other hosts. With --talkers and --cameras, \
      the first clients play a tone and film a test pattern, and they and ten more clients \
      receive sound and pictures. heard_percent is the share of the time in which the client with \
      the worst reception heard somebody. frames_per_second is the rate at which a camera was \
      shown. The clients run in this process and use no devices, so they also load this machine. \
      tool_busy_percent is the share of the time in which this process was busy; near 100, the \
      figures measure this process, and the command says so. Ctrl-C ends the load early: the \
      clients leave, and the command prints its measurements. Exit status 1 if a client could not \
      join or a message was lost.
      """)

  @Option(help: "Number of clients, 2-2000.") var attendees = 200
  @Option(help: "Number of clients that speak, 0-20.") var talkers = 0
  @Option(help: "Number of clients that show a camera, 0-25.") var cameras = 0
  @Option(
    help: ArgumentHelp(
      "Data messages per second of all clients together, 0-1000.", valueName: "n/s"),
    transform: LoadCommand.rate)
  var messages = 20
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp(
      "Seconds for which the clients send messages, 1-3600.", valueName: "seconds"),
    transform: LoadCommand.seconds)
  var duration = 60
  @OptionGroup var others: RemoteMetricsOptions
  @OptionGroup var runtime: InstallationSelectionOptions
  @OptionGroup var output: OutputOptions

  /// Parses `20/s`, or `20`.
  private static func rate(_ text: String) throws -> Int {
    guard let number = Int(text.hasSuffix("/s") ? text.dropLast(2) : text[...]) else {
      throw ValidationError("a number of messages each second, such as 20/s; got \(text)")
    }
    return number
  }

  /// Parses `60s`, or `60`.
  private static func seconds(_ text: String) throws -> Int {
    guard let number = Int(text.hasSuffix("s") ? text.dropLast() : text[...]) else {
      throw ValidationError("a number of seconds, such as 60s; got \(text)")
    }
    return number
  }

  func validate() throws {
    guard (2...2_000).contains(attendees) else {
      throw ValidationError("--attendees must be 2-2000; got \(attendees).")
    }
    guard (0...min(20, attendees)).contains(talkers) else {
      throw ValidationError("--talkers must be 0-20, and no more than clients; got \(talkers).")
    }
    guard (0...min(25, attendees)).contains(cameras) else {
      throw ValidationError("--cameras must be 0-25, and no more than clients; got \(cameras).")
    }
    guard (0...1_000).contains(messages) else {
      throw ValidationError("--messages must be 0-1000 each second; got \(messages).")
    }
    guard (1...3_600).contains(duration) else {
      throw ValidationError("--for must be 1-3600 seconds; got \(duration).")
    }
  }

  func run() async throws {
    try await output.reportingFailure {
      let (report, usage) = try await runtime.withOperator { try await load($0) }
      switch output.output {
      case .text:
        output.print(report.record)
        output.print(usage.isEmpty ? [] : usage + [TopTable.sum(of: usage)])
        if let warning = report.warning { Console.error("carillon: \(warning)") }
      case .json:
        var record = report.record
        record["services"] = .list(usage.map { .object($0) })
        output.print(record)
      }
      guard report.failed == 0, report.delivered >= report.expected else {
        throw ExitCode(CommandFailure.Exit.failed.rawValue)
      }
    }
  }

  private func load(
    _ connection: OperatorConnection
  ) async throws -> (LoadTestReport, [OutputRecord]) {
    let (stops, stop) = AsyncStream.makeStream(of: Void.self)
    return try await ShutdownSignals.heeding({ stop.finish() }) {
      try await load(connection, until: stops)
    }
  }

  private func load(
    _ connection: OperatorConnection, until stops: AsyncStream<Void>
  ) async throws -> (LoadTestReport, [OutputRecord]) {
    let gateway = try RunningGateway.find(in: runtime.places)
    let meeting = try await connection.call(
      V1.OperatorMethods.createMeeting,
      V1.CreateMeetingRequest(externalMeetingID: "carillon-load")
    ).meetingID
    do {
      var tickets: [JoinInformation] = []
      for number in 0..<attendees {
        tickets.append(
          try await JoinInformation.create(
            in: meeting, for: "load-\(number)", by: connection,
            gateway: gateway.clientEndpoint))
      }
      let cast = LoadMediaPlan(talkers: talkers, cameras: cameras)
      let metrics = InstanceMetricsReader(
        HealthSockets(inFirstOf: runtime.places), others.addresses)
      let known = try await connection.call(
        V1.OperatorMethods.getServices, V1.GetServicesRequest()
      ).instances.filter(\.isLive).map(\.instance)
      let result = await LoadRun(tickets, in: meeting, cast, metrics)
        .run(messagesPerSecond: messages, seconds: duration, known: known, until: stops)
      try await delete(meeting, connection)
      return result
    } catch {
      try? await delete(meeting, connection)
      throw error
    }
  }

  private func delete(_ meeting: String, _ connection: OperatorConnection) async throws {
    _ = try await connection.call(
      V1.OperatorMethods.deleteMeeting, V1.DeleteMeetingRequest(meetingID: meeting))
  }
}
