internal import ArgumentParser
internal import LocalInstallation
internal import Output
internal import Storage

/// The options that select an installation's access keys.
struct AccessKeyStoreOptions: ParsableArguments {
  @OptionGroup var data: DataDirectoryOptions
  @Option(
    help: ArgumentHelp(
      "The file of access keys.",
      discussion: "Default: the file of the running gateway, else <data-dir>/access-keys.json."),
    completion: .file())
  var accessKeyFile: String?
  @Option(
    help: ArgumentHelp(
      "The file of the installation's key.",
      discussion: "Default: the file of the running gateway, else <data-dir>/token.key."),
    completion: .file())
  var tokenKeyFile: String?
  @OptionGroup var output: OutputOptions

  /// Returns the file of access keys, opened with the key of the installation.
  ///
  /// - Throws: ``CommandFailure`` if there is no installation, or if this process cannot read a
  ///   file.
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

  /// Runs work on the file, and reports errors of this work in more detail than clients receive.
  static func reporting<Value>(_ work: () throws -> Value) throws -> Value {
    do { return try work() } catch let error as StorageError {
      guard case .accessKeyFile = error else { throw error }
      throw CommandFailure.precondition("\(error)")
    }
  }
}
