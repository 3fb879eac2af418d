internal import ArgumentParser
internal import Bus
internal import Foundation
internal import LocalInstallation
internal import Output

/// Which installation's files a command is about.
struct DataDirectoryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The installation's data directory.",
      discussion: """
        Default: that of the gateway that runs in the runtime directory, else $CARILLON_DATA_DIR, \
        else the usual one that has the installation's key.
        """),
    completion: .directory)
  var dataDir: String?
  @OptionGroup var runtime: RuntimeOptions

  /// The directory, and the gateway that told of it if one did.
  ///
  /// - Throws: ``CommandFailure`` when there is no installation.
  func find() throws(CommandFailure) -> (path: String, gateway: RunningProcess?) {
    if let dataDir {
      let path = RuntimeDirectory.absolute(dataDir)
      guard FileFacts(following: path)?.kind == .directory else {
        throw .precondition("There is no directory \(path).")
      }
      return (path, nil)
    }
    let (store, process) = ("/meetings.sqlite", gateway)
    if let open = process?.openFile(endingIn: store) {
      return (String(open.dropLast(store.count)), process)
    }
    let usual = DataDirectory.candidates(in: ProcessInfo.processInfo.environment)
    if let path = usual.first(where: { FileFacts(at: "\($0)/token.key") != nil }) {
      return (path, process)
    }
    throw .precondition(
      "None of \(usual.joined(separator: ", ")) has an installation's key; start it once with "
        + "`carillon up`, or name its data directory with --data-dir.")
  }

  private var gateway: RunningProcess? {
    for place in runtime.places {
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: place)
      let instances = (try? registry.instances(of: "gateway")) ?? []
      if let live = instances.first(where: { $0.isLive }) {
        return RunningProcess(id: live.processID)
      }
    }
    return nil
  }
}
