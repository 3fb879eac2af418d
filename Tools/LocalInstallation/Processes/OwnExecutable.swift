internal import Foundation

/// The file this process runs.
package enum OwnExecutable {
  /// Its path, without links.
  package static var path: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      ?? ProcessInfo.processInfo.arguments[0]
  }

  /// Where it lies; the services lie beside it.
  package static var directory: String {
    (path as NSString).deletingLastPathComponent
  }
}
