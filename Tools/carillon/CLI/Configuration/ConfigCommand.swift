internal import ArgumentParser
internal import Foundation
internal import LocalInstallation
internal import Output

/// The command `carillon config`.
struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Checks and documents the settings of the services.",
    subcommands: [Check.self, Doc.self])
}

extension ConfigCommand {
  /// The command `carillon config check`.
  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Checks whether the services would start with the current CARILLON_ variables.",
      discussion: """
        The command starts no service. It runs each service with --check-configuration and the \
        settings that carillon up would pass to it. With --alone, it passes all settings to each \
        service, as another service manager would. The check includes all rules about several \
        settings. It reads no files and stores. Exit status 1 if a variable is unknown, if a \
        service would refuse its settings, or if two services would listen on the same port; with \
        --alone, also if a service would refuse a setting of another service.
        """)

    @Option(
      help: ArgumentHelp(
        "File of NAME=VALUE lines that override the environment; may be repeated.",
        valueName: "file"),
      completion: .file())
    var envFile: [String] = []

    @Flag(help: "Check each service with the whole environment, as if it were started alone.")
    var alone = false
    @OptionGroup var output: OutputOptions

    func run() async throws {
      try await output.reportingFailure {
        var environment = ProcessInfo.processInfo.environment
        for path in envFile {
          environment.merge(try EnvironmentFile.read(path)) { $1 }
        }
        let check = ConfigurationCheck(
          services: LaunchedService.all, executables: OwnExecutable.directory,
          environment: environment, spawner: ProcessSpawner(),
          start: alone ? .alone : .together,
          // If a value is malformed, the service's own check reports this value.
          settings: alone ? nil : try? UpEnvironment(environment).settings(OwnExecutable.directory))
        let report = FindingsReport(output)
        await check.run { report.add($0) }
        try report.finish()
      }
    }
  }

  /// The command `carillon config doc`.
  struct Doc: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints every flag of every service, as Markdown.")

    @OptionGroup var output: OutputOptions

    func run() async throws {
      try await output.reportingFailure {
        let environment = ServiceEnvironment.withoutSettings(ProcessInfo.processInfo.environment)
        let spawner = ProcessSpawner()
        var services: [(name: String, flags: [ServiceFlag])] = []
        for service in LaunchedService.all {
          let program = ServiceProgram(service, in: OwnExecutable.directory, spawner: spawner)
          services.append((service.name, try await program.flags(environment: environment)))
        }
        let table = FlagTable(services)
        switch output.output {
        case .text: Console.out(table.markdown)
        case .json: output.print(table.records)
        }
      }
    }
  }
}
