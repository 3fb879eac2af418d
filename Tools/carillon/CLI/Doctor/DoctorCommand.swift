internal import ArgumentParser
internal import Foundation
internal import LocalInstallation
internal import Output

/// The command `carillon doctor`.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract:
      "Examines the installation, and suggests a remedy for each fault.",
    discussion: """
      The command checks the runtime directory, the stores, and the services with their endpoints, \
      readiness and versions. It also holds a short meeting. Exit status 1 if a check failed.
      """)

  @Option(
    help: "The gateway's data directory. Default: the directory of the running gateway.",
    completion: .directory)
  var dataDir: String?
  @Option(
    help: ArgumentHelp(
      "The file of the installation's key.",
      discussion: "Default: the file of the running gateway, else <data-dir>/token.key."),
    completion: .file())
  var tokenKeyFile: String?
  @OptionGroup var shared: StoreOptions
  @OptionGroup var runtime: InstallationSelectionOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    try await output.reportingFailure {
      let report = FindingsReport(output)
      let directory = Self.likeliest(of: runtime.places)
      let doctor = Doctor(
        directory: directory,
        dataDirectory: dataDir.map(RuntimeDirectory.absolute),
        tokenKeyFile: tokenKeyFile.map(RuntimeDirectory.absolute),
        sharedStore: try shared.address(of: ProcfsProcess.gateway(in: directory)),
        environment: ProcessInfo.processInfo.environment)
      await doctor.examine { report.add($0) }
      try report.finish()
    }
  }

  /// Returns the first directory in which services have registered. If there is no such directory,
  /// returns the first directory that exists. If none exists, returns the first directory.
  static func likeliest(of places: [String]) -> String {
    places.first { FileAttributes(at: "\($0)/registry") != nil }
      ?? places.first { FileAttributes(at: $0) != nil } ?? places.first ?? "/run/carillon"
  }
}
