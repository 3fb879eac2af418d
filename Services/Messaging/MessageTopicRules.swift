/// The rules for topics.
///
/// Clients may use letters, digits, `_` and `-`. The reserved topics of services, for example
/// `aws:chime:transcription` or `carillon:notice`, contain a colon, so they never match this rule.
/// Therefore clients need no list of reserved topics.
enum MessageTopicRules {
  /// The words that complete "it must be …" in error messages.
  static let rule = "1-36 letters, digits, _ or -"

  /// Returns whether a client may send on a topic.
  ///
  /// The whole text must match. The `$` of a regular expression would accept a final line feed.
  static func isForClients(_ topic: String) -> Bool {
    (1...36).contains(topic.utf8.count) && topic.utf8.allSatisfy(isWordCharacter)
  }

  /// Returns whether a service may send on a topic: a topic for clients, or a reserved topic of up
  /// to 64 characters.
  static func isForServices(_ topic: String) -> Bool {
    if isForClients(topic) { return true }
    return topic.utf8.count <= 64
      && reserved.contains { topic.hasPrefix($0) && topic.utf8.count > $0.utf8.count }
      && topic.utf8.allSatisfy { isWordCharacter($0) || $0 == UInt8(ascii: ":") }
  }

  private static let reserved = ["aws:chime:", "carillon:"]

  private static func isWordCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
