import Logging
import MeetingModel
import ServiceHost
import ServiceLifecycle
import Signing
import Storage

/// Hands a key to the programs of this user for as long as the gateway runs: for
/// `--local-access-key`.
struct LocalKeyService: Service {
  private let path: String
  private let logger: Logger

  /// Makes the key unless there is one of its name, and writes the file.
  ///
  /// One that was disabled is not handed out, and no other is made in its place.
  ///
  /// - Parameter endpoint: Where this gateway serves the control API.
  /// - Throws: What ``AccessKeyFile`` throws.
  init(_ keys: AccessKeyFile, for endpoint: String, in host: Host) throws(StorageError) {
    path = "\(host.runtimeDirectory)/\(host.instance)\(LocalAccessKey.fileSuffix)"
    logger = host.logger
    let key = try keys.key(named: "local", at: Int64(WallClock.nowMs))
    guard key.isEnabled else {
      // A gateway that was killed has left it.
      AccessKeyFile.takeBack(path)
      logger.warning("The access key named local is disabled; tools here need another")
      return
    }
    try keys.handOut(key, for: endpoint, at: path)
  }

  /// Waits for the end, and takes the file away.
  func run() async throws {
    try? await gracefulShutdown()
    AccessKeyFile.takeBack(path)
  }
}
