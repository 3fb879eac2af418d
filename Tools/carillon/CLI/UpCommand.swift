internal import ArgumentParser
internal import Bot
internal import Foundation
internal import LocalInstallation
internal import Output

/// The command `carillon up`.
struct UpCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "up", abstract: "Runs all services of an installation on this machine.",
    discussion: """
      The logs of the services go to standard error; each line names its service. When all \
      services are ready, the command prints the address of the installation on standard output. \
      The command restarts a service that dies. Ctrl-C or SIGTERM stops all services, and a second \
      Ctrl-C or SIGTERM kills them. The environment contains the settings of the services: \
      CARILLON_DROP_AFTER_SECONDS=8 sets --drop-after-seconds 8 for each service that has this \
      flag. Flags of this command win over the environment. The environment wins over the defaults \
      that this command sets: --rest-port, --drain-seconds, --web-root, --web-lobby open, \
      --web-operator-key-file and --local-access-key.
      """)

  @OptionGroup var place: InstallationOptions
  @Option(help: "Port of the REST interface on 127.0.0.1; 0 picks a free port. Default: 8080.")
  var restPort: UInt16?
  @Option(help: "HOST:PORT on which the gateway also accepts clients over tcp.")
  var gatewayTCP: String?
  @Option(help: "HOST:PORT on which media also accepts clients over tcp.")
  var mediaTCP: String?
  @Flag(help: "Accept REST requests without a signature.")
  var allowUnsigned = false
  @Option(
    help:
      "Directory of the page for browsers. Default: the one that belongs to the programs.")
  var webRoot: String?
  @Flag(
    help: """
      Keep a bot in a meeting named demo. It answers in the chat, and speaks from time to time if \
      flite(1) is installed.
      """)
  var withBot = false
  @Option(help: "Seconds that a service may take to stop. Default: 10.")
  var drainSeconds: Int?
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if let drainSeconds, !(0...3600).contains(drainSeconds) {
      throw ValidationError("--drain-seconds must be 0-3600; got \(drainSeconds).")
    }
  }

  func run() async throws {
    try await output.reportingFailure {
      let environment = ProcessInfo.processInfo.environment
      let spawner = ProcessSpawner()
      let executables = OwnExecutable.directory
      let choices = UpEnvironment(environment)
      let port = try restPort ?? choices.restPort()
      let settings = InstallationSettings(
        runtimeDirectory: try RuntimeDirectory.choose(
          requested: place.runtimeDir, environment: environment),
        dataDirectory: place.dataDir.map(RuntimeDirectory.absolute),
        restPort: port == 0 ? try FreePort.choose() : port, gatewayTCP: gatewayTCP,
        mediaTCP: mediaTCP, allowsUnsigned: allowUnsigned,
        webRoot: (webRoot ?? choices.webRoot).map(RuntimeDirectory.absolute)
          ?? WebRoot.find(beside: executables),
        drainSeconds: try drainSeconds ?? choices.drainSeconds(), executables: executables,
        environment: ServiceEnvironment.withoutSettings(environment))
      let logs = PrefixedLog(
        services: LaunchedService.all.map(\.name) + [Self.botName],
        paint: TerminalColors(for: STDERR_FILENO, environment: environment))
      let environments = try await Self.environments(settings, environment, spawner)
      try PortConflict.refuse(LaunchedService.all, in: settings, environments: environments)
      let installation = Installation(
        settings, environments: environments,
        spawner: spawner, log: { logs.write($1, of: $0) })
      let bot = MeetingBot(
        in: Self.botMeeting, of: settings.runtimeDirectory, by: spawner,
        environment: settings.environment, log: { logs.write($0, of: Self.botName) })
      let number = try await Self.serve(installation, with: withBot ? bot : nil, output)
      if let number { throw ExitCode(128 + number) }
    }
  }

  private static let botName = "bot"

  /// The name of the meeting that the page's address opens.
  private static let botMeeting = "demo"

  /// Runs the services and the bot until a signal arrives.
  ///
  /// - Returns: The second signal; `nil` if no second signal arrived before the services and the
  ///   bot had stopped.
  private static func serve(
    _ installation: Installation, with bot: MeetingBot?, _ output: OutputOptions
  ) async throws -> Int32? {
    let signals = ShutdownSignals()
    let (stop, stopping) = AsyncStream.makeStream(of: Never.self)
    return try await withThrowingTaskGroup(of: Int32?.self) { tasks in
      tasks.addTask {
        try await installation.run {
          try await beReady(installation, with: bot, until: stop, output)
        }
        return nil
      }
      tasks.addTask {
        guard await signals.next() != nil else { return nil }
        stopping.finish()
        guard let second = await signals.next() else { return nil }
        await installation.kill()
        return second
      }
      defer { tasks.cancelAll() }
      return try await tasks.next() ?? nil
    }
  }

  /// Reports that the services are ready, waits until they must stop, and ends the bot.
  private static func beReady(
    _ installation: Installation, with bot: MeetingBot?, until stop: AsyncStream<Never>,
    _ output: OutputOptions
  ) async throws {
    try await withThrowingTaskGroup(of: Bool.self) { tasks in
      tasks.addTask {
        try await installation.waitUntilReady(within: .seconds(60))
        await bot?.prepare()
        report(installation.settings, output)
        await bot?.run()
        return false
      }
      tasks.addTask {
        for await _ in stop {}
        return true
      }
      defer { tasks.cancelAll() }
      while try await tasks.next() == false {}
    }
  }

  private static func report(_ settings: InstallationSettings, _ output: OutputOptions) {
    // The gateway registers its REST address and whether it uses TLS.
    let gateway = try? RunningGateway.find(in: [settings.runtimeDirectory])
    let rest = gateway?.restEndpoint ?? "http://127.0.0.1:\(settings.restPort)"
    let client =
      gateway?.clientEndpoint ?? "ipc://\(settings.runtimeDirectory)/gateway-a.client.sock"
    switch output.output {
    case .text:
      let tcp = settings.gatewayTCP.map { " gateway-tcp=tcp://\($0)" } ?? ""
      Console.out("ready rest=\(rest) gateway=\(client)\(tcp)")
      if settings.webRoot != nil {
        Console.out("Meet in a browser: \(rest)/#\(botMeeting)")
        if let key = operatorKey(settings) { Console.out("Operate: \(rest)/operator#key=\(key)") }
      }
    case .json:
      var record: OutputRecord = [
        "event": "ready", "rest": .text(rest), "gateway": .text(client),
        "runtime_dir": .text(settings.runtimeDirectory),
      ]
      if settings.webRoot != nil {
        record["page"] = .text("\(rest)/#\(botMeeting)")
        if let key = operatorKey(settings) {
          record["operator_page"] = .text("\(rest)/operator#key=\(key)")
        }
      }
      if let tcp = settings.gatewayTCP { record["gateway_tcp"] = .text("tcp://\(tcp)") }
      Console.out(record.json)
    }
  }

  /// Returns the operator page's key from the gateway's file.
  private static func operatorKey(_ settings: InstallationSettings) -> String? {
    let choices = UpEnvironment(ProcessInfo.processInfo.environment)
    let path = choices.operatorKeyFile ?? settings.operatorKeyFile
    let text = try? String(contentsOfFile: path, encoding: .utf8)
    return text?.trimmingCharacters(in: .whitespacesAndNewlines)
      .addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-"]))
  }

  /// Returns the environment of each service: the settings that the service accepts. The result is
  /// empty if the environment contains no setting of Carillon.
  private static func environments(
    _ settings: InstallationSettings, _ environment: [String: String], _ spawner: ProcessSpawner
  ) async throws -> [String: [String: String]] {
    guard environment.keys.contains(where: ServiceEnvironment.isSetting) else { return [:] }
    var flags: [String: [ServiceFlag]] = [:]
    for service in LaunchedService.all {
      let program = ServiceProgram(service, in: settings.executables, spawner: spawner)
      flags[service.name] = try await program.flags(environment: settings.environment)
    }
    let foreign = ServiceEnvironment.passedOver(
      in: environment, known: Set(flags.values.joined().compactMap(\.variable)))
    if !foreign.isEmpty {
      let names = foreign.joined(separator: " ")
      Console.error("carillon: ignoring environment variables of an orchestrator: \(names)")
    }
    return try ServiceEnvironment.environments(from: environment, flags: flags)
  }
}
