import Foundation

/// Percent-encoding as in RFC 3986, §2.1; a plus sign is a plus sign. Foundation decodes, and lets
/// through the NUL that no value here may hold.
enum PercentEncoding {
  /// The text that `encoded` stands for; `nil` if an escape is no two hexadecimal digits, or the
  /// bytes are no UTF-8 or hold a NUL.
  static func decode(_ encoded: some StringProtocol) -> String? {
    encoded.removingPercentEncoding.flatMap { $0.utf8.contains(0) ? nil : $0 }
  }
}
