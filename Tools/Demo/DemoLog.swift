internal import Foundation
internal import LocalInstallation
internal import Output
internal import Synchronization

/// The log of the demo's services: a file, and standard error if requested.
final class DemoLog: Sendable {
  private let file: Mutex<FileHandle?>
  private let shown: PrefixedLog?

  init(path: String, isShown: Bool) {
    _ = FileManager.default.createFile(
      atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    file = Mutex(FileHandle(forWritingAtPath: path))
    let paint = TerminalColors(for: STDERR_FILENO, environment: ProcessInfo.processInfo.environment)
    shown =
      isShown ? PrefixedLog(services: LaunchedService.all.map(\.name), paint: paint) : nil
  }

  /// Writes a line of a service.
  func write(_ line: String, of service: String) {
    let bytes = Data("\(service) | \(line)\n".utf8)
    file.withLock { try? $0?.write(contentsOf: bytes) }
    shown?.write(line, of: service)
  }
}
