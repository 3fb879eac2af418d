internal import ArgumentParser
internal import Foundation
internal import LocalInstallation
internal import Output
internal import Storage

/// The options that select an installation's files.
struct DataDirectoryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The installation's data directory.",
      discussion: """
        Default: the data directory of the gateway that runs in the runtime directory, else \
        $CARILLON_DATA_DIR, else the standard directory that contains the installation's key.
        """),
    completion: .directory)
  var dataDir: String?
  @OptionGroup var shared: StoreOptions
  @OptionGroup var runtime: InstallationSelectionOptions

  /// Returns the location of the installation's persistent data.
  ///
  /// - Parameter file: The name of the file with the data, if the installation is on this machine
  ///   alone.
  /// - Throws: ``CommandFailure`` if there is no installation.
  func location(having file: String) throws(CommandFailure) -> StoreLocation {
    if let address = try shared.address(of: gateway) { return .postgresql(address) }
    let directory = try find().path
    guard FileAttributes(at: "\(directory)/\(file)") != nil else {
      throw .precondition(
        """
        \(directory)/\(file) does not exist; start a gateway once, which creates it, or name \
        another --data-dir.
        """)
    }
    return .directory(directory)
  }

  /// Returns the directory, and the gateway that reported the directory. The gateway is `nil` if a
  /// flag named the directory, or if no gateway reported a directory.
  ///
  /// - Throws: ``CommandFailure`` when there is no installation.
  func find() throws(CommandFailure) -> (path: String, gateway: ProcfsProcess?) {
    if let dataDir {
      let path = RuntimeDirectory.absolute(dataDir)
      guard FileAttributes(following: path)?.kind == .directory else {
        throw .precondition(
          "--data-dir \(path) is not a directory; name the data directory of the gateway.")
      }
      return (path, nil)
    }
    let (store, process) = ("/meetings.sqlite", gateway)
    if let open = process?.openFile(endingIn: store) {
      return (String(open.dropLast(store.count)), process)
    }
    let usual = DataDirectory.candidates(in: ProcessInfo.processInfo.environment)
    if let path = usual.first(where: { FileAttributes(at: "\($0)/token.key") != nil }) {
      return (path, process)
    }
    throw .precondition(
      "None of \(usual.joined(separator: ", ")) has an installation's key; start it once with "
        + "`carillon up`, or name its data directory with --data-dir.")
  }

  private var gateway: ProcfsProcess? {
    runtime.places.lazy.compactMap(ProcfsProcess.gateway(in:)).first
  }
}
