import Foundation

/// Percent-encoding according to RFC 3986, §2.1. A plus sign remains a plus sign.
///
/// This type rejects NUL, because no value in the REST interface may contain NUL. Foundation's
/// decoder accepts NUL.
enum PercentDecoding {
  /// Returns the decoded text. Returns `nil` if an escape is not two hexadecimal digits, if the
  /// bytes are not UTF-8, or if the text contains NUL.
  static func decode(_ encoded: some StringProtocol) -> String? {
    encoded.removingPercentEncoding.flatMap { $0.utf8.contains(0) ? nil : $0 }
  }
}
