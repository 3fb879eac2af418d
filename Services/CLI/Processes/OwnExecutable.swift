internal import Foundation

/// The file this process runs.
enum OwnExecutable {
  /// Its path, without links.
  static var path: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      ?? ProcessInfo.processInfo.arguments[0]
  }

  /// Where it lies; the services lie beside it.
  static var directory: String {
    (path as NSString).deletingLastPathComponent
  }
}
