public import Foundation

/// The version of this library.
public final class Versioning: NSObject, Sendable {
  /// The name of this library in events.
  static let sdkName = "carillon-client-swift"

  /// Returns the version of this library, such as `0.1.0`.
  public static func sdkVersion() -> String { "0.1.0" }
}
