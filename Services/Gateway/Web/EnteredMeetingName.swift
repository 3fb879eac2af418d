import Crypto
import MeetingModel

/// A meeting's name as a person typed it on the page.
///
/// Unlike an external meeting id, a name may be in any script. If a name breaks the rule of
/// external meeting ids, the gateway computes an id from the name. So all people who type this name
/// reach the same meeting.
struct EnteredMeetingName: Hashable, Sendable {
  /// The name in Unicode normalization form C.
  let text: String

  /// The external id of a meeting with this name. If the rule of external ids allows the name, the
  /// id is the name, as in `tea`. Otherwise, the id is the name's ASCII spelling and a hash, as in
  /// `cafe-9f86d081884c7d65`.
  let externalID: ExternalMeetingID

  /// - Throws: `InvalidModelValue` with the broken rule. The rules of ``DisplayName`` apply.
  init(typed: String) throws(InvalidModelValue) {
    do throws(InvalidModelValue) {
      text = try DisplayName(typed: typed).text
    } catch {
      guard case .invalidValue(_, let rule) = error else { throw error }
      throw .invalidValue(what: "meeting name", rule: rule)
    }
    if let id = try? ExternalMeetingID(text) {
      externalID = id
    } else {
      externalID = try ExternalMeetingID(Self.id(of: text))
    }
  }

  /// The maximum length of the name's ASCII spelling. The id begins with this spelling. A hyphen
  /// and the hash of the name follow, so the id has at most 64 characters.
  private static let mostOfSpelling = 47

  /// The number of bytes of the hash. With this length, two names of one installation practically
  /// never have the same hash.
  private static let bytesOfHash = 8

  private static func id(of name: String) -> String {
    let spelling = ASCIISlug.make(of: name, atMost: mostOfSpelling) ?? "meeting"
    let hash = SHA256.hash(data: Array(name.utf8)).prefix(bytesOfHash)
    let digits = hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return "\(spelling)-\(digits)"
  }
}
