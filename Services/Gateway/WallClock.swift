import Foundation

/// The time of day, for what people and other systems read; never for measuring.
enum WallClock {
  /// Milliseconds since the Unix epoch.
  static var nowMilliseconds: UInt64 { UInt64(Date().timeIntervalSince1970 * 1000) }
}
