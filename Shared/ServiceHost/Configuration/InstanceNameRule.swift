/// The rule for the names that become parts of file names: instances and their endpoints.
enum InstanceNameRule {
  /// Returns whether `text` is 1-32 characters of `a`-`z`, `0`-`9` and `-`.
  static func isValid(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
