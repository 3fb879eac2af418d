import Foundation
import MeetingModel

/// Creates external user ids for guests, because no application assigns ids to guests.
///
/// An id consists of the ASCII spelling of the name and six random characters, for example
/// `lukasz-7k2m9x`.
enum GuestID {
  /// The maximum length of the name's part. With a hyphen and six characters, the id has at most
  /// 64.
  private static let mostOfName = 57

  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")

  /// The ASCII spellings of Latin letters that Unicode decomposition does not reduce to ASCII.
  private static let spellings: [Unicode.Scalar: String] = [
    "ł": "l", "đ": "d", "ø": "o", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ħ": "h",
    "ı": "i", "ŧ": "t",
  ]

  /// Returns an id that is not in `taken`.
  static func make(
    for name: DisplayName, avoiding taken: Set<String>,
    using generator: inout some RandomNumberGenerator
  ) throws(ModelError) -> ExternalUserID {
    let slug = slug(of: name)
    while true {
      let random = (0..<6).map { _ in alphabet[Int.random(in: 0..<36, using: &generator)] }
      let id = "\(slug)-\(String(random))"
      if !taken.contains(id) { return try ExternalUserID(id) }
    }
  }

  /// Returns the name's letters and digits in lower case, with hyphens between groups. Returns
  /// `guest` if the name has no letters and digits.
  static func slug(of name: DisplayName) -> String {
    var slug = ""
    var isParted = false
    for scalar in name.text.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars {
      let isMark = scalar.properties.canonicalCombiningClass != .notReordered
      if isMark { continue }
      guard let letters = spelling(of: scalar) else {
        isParted = true
        continue
      }
      let parted = (isParted && !slug.isEmpty ? "-" : "") + letters
      guard slug.utf8.count + parted.utf8.count <= mostOfName else { break }
      slug += parted
      isParted = false
    }
    return slug.isEmpty ? "guest" : slug
  }

  private static func spelling(of scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "a"..."z", "0"..."9": String(Character(scalar))
    default: spellings[scalar]
    }
  }
}
