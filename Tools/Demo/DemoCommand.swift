public import ArgumentParser
internal import Foundation
internal import LocalInstallation
internal import Output

/// The command `carillon demo`.
public struct DemoCommand: AsyncParsableCommand {
  public static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract:
      "Holds a whole meeting with real processes, and checks each step.",
    discussion: """
      The demo starts its own services in a temporary directory, kills some of them, and stops \
      them at the end. With --gateway and --rest, it uses running services and skips the steps \
      that kill a service. Two attendees are Python clients. Their interpreter is \
      $CARILLON_PYTHON, else .venv/bin/python of the package, else python3. Exit status 1 if a \
      step failed.
      """)

  @Option(help: "ZeroMQ endpoint of a running gateway; needs --rest.")
  var gateway: String?
  @Option(
    help: """
      URL of that gateway's REST interface, http://HOST:PORT; see AWS_ACCESS_KEY_ID in \
      proto/REST.md.
      """)
  var rest: String?
  @Flag(help: "Show the logs of the demo's services on standard error.")
  var verbose = false
  @OptionGroup var runtime: InstallationSelectionOptions
  @OptionGroup var output: OutputOptions

  public init() {}

  public func validate() throws {
    guard (gateway == nil) == (rest == nil) else {
      throw ValidationError("--gateway and --rest need each other; set both or neither.")
    }
    if let rest, HTTPAddress(url: rest) == nil {
      throw ValidationError("--rest must be http://HOST:PORT; got \(rest).")
    }
  }

  public func run() async throws {
    let failed = try await play()
    if failed > 0 { throw ExitCode(CommandFailure.Exit.failed.rawValue) }
  }

  /// Plays the demo.
  ///
  /// - Returns: The number of failed steps.
  private func play() async throws -> Int {
    OutputReaderMonitor.outliveReaders()
    let environment = ProcessInfo.processInfo.environment
    let paint = TerminalColors(for: STDOUT_FILENO, environment: environment)
    let format = output.output
    var failed = 0
    try await output.reportingFailure {
      let folder = try DemoFolder()
      async let _: Void = Self.leave(folder, on: ShutdownSignals())
      let report = DemoRunner(
        print: { step in
          switch format {
          case .text: Console.out(step.text(paint))
          case .json: Console.out(step.record.json)
          }
        },
        giveUp: {
          folder.remove(keepingLogs: true)
          Foundation.exit(CommandFailure.Exit.failed.rawValue)
        })
      let stage = DemoToolkit(
        folder: folder, spawner: ProcessSpawner(),
        environment: ServiceEnvironment.withoutSettings(environment),
        python: PythonInterpreter.find(
          environment: environment,
          from: [OwnExecutable.directory, FileManager.default.currentDirectoryPath]))
      if let gateway, let rest, let address = HTTPAddress(url: rest) {
        let house = DemoServices(
          gateway: gateway, rest: address, places: runtime.places, installation: nil,
          environment: environment)
        await DemoScenario(stage: stage, house: house, report: report).play()
      } else {
        try await playInOwnHouse(stage, report)
      }
      failed = report.failed
      folder.remove(keepingLogs: failed > 0)
      switch format {
      case .text:
        let summary = failed == 0 ? "all passed" : "\(failed) failed"
        Console.out("\(report.steps.count) steps, \(summary)")
      case .json: Console.out(report.summary.json)
      }
    }
    return failed
  }

  /// Ends this process and its children when a signal arrives.
  private static func leave(_ folder: DemoFolder, on signals: ShutdownSignals) async {
    guard let number = await signals.next() else { return }
    folder.remove(keepingLogs: false)
    Foundation.exit(128 + number)
  }

  private func playInOwnHouse(_ stage: DemoToolkit, _ report: DemoRunner) async throws {
    let folder = stage.folder
    let log = DemoLog(path: folder.logPath, isShown: verbose)
    let settings = InstallationSettings(
      runtimeDirectory: folder.runtimeDirectory, dataDirectory: folder.dataDirectory,
      restPort: try FreePort.choose(), gatewayTCP: nil, mediaTCP: nil, allowsUnsigned: false,
      seats: DemoScenario.seats, drainSeconds: 5,
      executables: OwnExecutable.directory, environment: stage.environment)
    let installation = Installation(
      settings, spawner: stage.spawner, log: { log.write($1, of: $0) })
    let (done, finish) = AsyncStream.makeStream(of: Never.self)
    // The services run concurrently with the steps, which run in this task. If a service fails, a
    // step fails.
    async let services: Void = installation.run { for await _ in done {} }
    let house = try? await report.require(.startServices) {
      try await installation.waitUntilReady(within: .seconds(90))
      let house = try DemoServices(of: installation)
      return (house, ["gateway": .text(house.gateway), "rest": .text(house.restURL)])
    }
    if let house {
      await DemoScenario(stage: stage, house: house, report: report).play()
    }
    finish.finish()
    _ = try? await services
  }
}
