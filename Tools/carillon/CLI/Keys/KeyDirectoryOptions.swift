internal import ArgumentParser
internal import Bus
internal import Foundation
internal import LocalInstallation
internal import Output

/// The options that select a host's keys.
struct KeyDirectoryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The directory of this host's keys.",
      discussion: "Default: $CARILLON_KEY_DIR, else <data-dir>/keys."),
    completion: .directory)
  var keyDir: String?
  @Option(
    help: ArgumentHelp(
      "The data directory of this host's services.",
      discussion: """
        Default: $CARILLON_DATA_DIR, else the first standard directory that contains keys or is \
        usable.
        """),
    completion: .directory)
  var dataDir: String?
  @OptionGroup var output: OutputOptions

  /// The directory, whether it exists or not.
  var directory: KeyDirectory {
    let environment = ProcessInfo.processInfo.environment
    if let keyDir = keyDir ?? environment["CARILLON_KEY_DIR"] {
      return KeyDirectory(RuntimeDirectory.absolute(keyDir))
    }
    return KeyDirectory(dataDirectory(environment) + "/keys")
  }

  private func dataDirectory(_ environment: [String: String]) -> String {
    if let dataDir { return RuntimeDirectory.absolute(dataDir) }
    let usual = DataDirectory.candidates(in: environment)
    let files = FileManager.default
    return usual.first { files.fileExists(atPath: KeyDirectory($0 + "/keys").listPath) }
      ?? usual.first { files.isWritableFile(atPath: $0) }
      ?? usual.last ?? "."
  }
}
