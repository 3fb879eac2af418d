/// The rule for the topics of data messages.
enum DataMessageTopicRule {
  /// Returns whether a topic has 1 to 36 ASCII letters, digits, `_` or `-`.
  ///
  /// The rule covers the whole text. The regular expression in the meetings SDK for iOS also
  /// accepts a line feed after the last character of the topic.
  static func isValid(_ topic: String) -> Bool {
    (1...36).contains(topic.utf8.count) && topic.utf8.allSatisfy(isWordCharacter)
  }

  private static func isWordCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
