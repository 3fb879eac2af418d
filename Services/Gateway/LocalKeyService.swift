import Logging
import MeetingModel
import ServiceHost
import ServiceLifecycle
import Signing
import Storage

/// Writes an access key to a file while the gateway runs (`--local-access-key`). With this key,
/// other programs of the user who runs the gateway can use the control API.
struct LocalKeyService: Service {
  private let path: String
  private let logger: Logger

  /// Creates the access key named `local` if it does not exist yet, and writes the file.
  ///
  /// If the key is disabled, the initializer neither writes the file nor replaces the key.
  ///
  /// - Parameter endpoint: The endpoint of this gateway's control API.
  /// - Throws: The errors of ``AccessKeyFile``.
  init(_ keys: AccessKeyFile, for endpoint: String, in host: Host) throws(StorageError) {
    path = "\(host.runtimeDirectory)/\(host.instance)\(LocalAccessKey.fileSuffix)"
    logger = host.logger
    let key = try keys.key(named: "local", at: Int64(WallClock.nowMs))
    guard key.isEnabled else {
      // A killed gateway may have left its key file behind.
      AccessKeyFile.takeBack(path)
      logger.warning(
        """
        The access key named local is disabled; create another key for the local tools, or enable \
        it
        """)
      return
    }
    try keys.handOut(key, for: endpoint, at: path)
  }

  /// Waits for the shutdown, and then removes the file.
  func run() async throws {
    try? await gracefulShutdown()
    AccessKeyFile.takeBack(path)
  }
}
