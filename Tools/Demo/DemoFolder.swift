internal import Foundation
internal import LocalInstallation
internal import Output

/// The new directory with the files of the demo's services.
struct DemoFolder: Sendable {
  /// The path of the directory. The path is short, because the directory contains Unix sockets, and
  /// the path of a Unix socket has at most 107 bytes (unix(7)).
  let path: String

  /// The longest base path that leaves room for the name of the directory and for the longest name
  /// of a socket.
  private static let longestBase = 40

  init() throws(CommandFailure) {
    let temporary = RuntimeDirectory.absolute(NSTemporaryDirectory())
    let base = temporary.utf8.count <= Self.longestBase ? temporary : "/tmp"
    path = "\(base)/carillon-demo-\(UUID().uuidString.prefix(8))"
    for directory in [path, runtimeDirectory, dataDirectory] {
      do {
        try FileManager.default.createDirectory(
          atPath: directory, withIntermediateDirectories: true,
          attributes: [.posixPermissions: 0o700])
      } catch {
        throw .precondition("Cannot make \(directory): \(error.localizedDescription)")
      }
    }
  }

  var runtimeDirectory: String { "\(path)/run" }
  var dataDirectory: String { "\(path)/data" }
  /// The path of the services' log.
  var logPath: String { "\(path)/services.log" }

  /// Removes the directory. With `keepingLogs`, keeps the log, and prints the log's path on
  /// standard error.
  func remove(keepingLogs: Bool) {
    let files = FileManager.default
    guard keepingLogs, files.fileExists(atPath: logPath) else {
      try? files.removeItem(atPath: path)
      return
    }
    try? files.removeItem(atPath: runtimeDirectory)
    try? files.removeItem(atPath: dataDirectory)
    Console.error("The services' log is in \(logPath)")
  }
}
