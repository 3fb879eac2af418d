import Foundation

/// Percent-encoding as in RFC 3986, §2.1; a plus sign stays a plus sign.
///
/// Foundation decodes, but accepts NUL, which no value here may contain.
enum PercentEncoding {
  /// Returns the decoded text; `nil` if an escape is not two hexadecimal digits, or if the bytes
  /// are no UTF-8 or contain a NUL.
  static func decode(_ encoded: some StringProtocol) -> String? {
    encoded.removingPercentEncoding.flatMap { $0.utf8.contains(0) ? nil : $0 }
  }
}
