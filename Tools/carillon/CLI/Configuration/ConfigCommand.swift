internal import ArgumentParser
internal import Foundation
internal import LocalInstallation
internal import Output

/// `carillon config`.
struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Checks settings, and documents all there are.",
    subcommands: [Check.self, Doc.self])
}

extension ConfigCommand {
  /// `carillon config check`.
  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Says whether the services would start with the CARILLON_ variables there are.",
      discussion: """
        Starts nothing: each service is asked by --check-configuration about its own settings, as \
        carillon up gives them to it. With --alone, each service is asked about all settings, as \
        if another service manager started it. Exit status 1 if a variable stands for nothing or \
        a value is wrong; with --alone, also if a service would refuse a setting of another one.
        """)

    @Option(
      help: ArgumentHelp(
        "File of NAME=VALUE lines that are set too, and win; may be repeated.",
        valueName: "file"),
      completion: .file())
    var envFile: [String] = []

    @Flag(help: "Check each service with the whole environment, as if started on its own.")
    var alone = false
    @OptionGroup var output: OutputOptions

    func run() async throws {
      try await output.reportingFailure {
        var environment = ProcessInfo.processInfo.environment
        for path in envFile {
          environment.merge(try EnvironmentFile.read(path)) { $1 }
        }
        let check = ConfigurationCheck(
          services: ServiceDescription.all, executables: OwnExecutable.directory,
          environment: environment, spawner: ProcessSpawner(),
          start: alone ? .alone : .together)
        let report = FindingsReport(output)
        await check.run { report.add($0) }
        try report.finish()
      }
    }
  }

  /// `carillon config doc`.
  struct Doc: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints every flag of every service, as Markdown.")

    @OptionGroup var output: OutputOptions

    func run() async throws {
      try await output.reportingFailure {
        let environment = ServiceEnvironment.withoutSettings(ProcessInfo.processInfo.environment)
        let spawner = ProcessSpawner()
        var services: [(name: String, flags: [ServiceFlag])] = []
        for service in ServiceDescription.all {
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
