internal import Foundation

/// The executable of this process.
package enum OwnExecutable {
  /// The path with links resolved.
  package static var path: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      ?? ProcessInfo.processInfo.arguments[0]
  }

  /// The directory of the executable. The services are in the same directory.
  package static var directory: String {
    (path as NSString).deletingLastPathComponent
  }
}
