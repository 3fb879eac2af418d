internal import ArgumentParser
internal import LocalInstallation
internal import Output
internal import Storage

/// Which installation's access keys a command is about.
struct KeyFileOptions: ParsableArguments {
  @OptionGroup var data: DataDirectoryOptions
  @Option(
    help: ArgumentHelp(
      "The file of access keys.",
      discussion: "Default: what the gateway was started with, else <data-dir>/access-keys.json."),
    completion: .file())
  var accessKeyFile: String?
  @Option(
    help: ArgumentHelp(
      "The file of the installation's key.",
      discussion: "Default: what the gateway was started with, else <data-dir>/token.key."),
    completion: .file())
  var tokenKeyFile: String?
  @OptionGroup var output: OutputOptions

  /// The file, with the key of the installation that it belongs to.
  ///
  /// - Throws: ``CommandFailure`` when there is no installation, and errors of its files in words.
  func file() throws -> AccessKeyFile {
    let (directory, process) = try data.find()
    func path(_ given: String?, _ flag: String, _ name: String) -> String {
      given.map(RuntimeDirectory.absolute) ?? process?.path(ofFlag: flag) ?? "\(directory)/\(name)"
    }
    return try Self.reporting {
      AccessKeyFile(
        path: path(accessKeyFile, "access-key-file", "access-keys.json"),
        installation: try InstallationKey(file: path(tokenKeyFile, "token-key-file", "token.key")))
    }
  }

  /// Does something with the file, whose errors tell the operator more than clients are told.
  static func reporting<Value>(_ work: () throws -> Value) throws -> Value {
    do { return try work() } catch let error as StorageError {
      guard case .accessKeyFile = error else { throw error }
      throw CommandFailure.precondition("\(error)")
    }
  }
}
