import Foundation

/// The ASCII spelling of names for identifiers, as in `lukasz` for `Łukasz`.
enum ASCIISlug {
  /// The ASCII spellings of Latin letters that Unicode decomposition does not reduce to ASCII.
  private static let spellings: [Unicode.Scalar: String] = [
    "ł": "l", "đ": "d", "ø": "o", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ħ": "h",
    "ı": "i", "ŧ": "t",
  ]

  /// Returns the letters and digits of a name in lower case, with hyphens between the groups.
  ///
  /// - Parameter limit: The maximum length. The method drops letters and digits beyond this length.
  /// - Returns: `nil` if the name has no letter or digit with an ASCII spelling.
  static func make(of name: String, atMost limit: Int) -> String? {
    var slug = ""
    var isParted = false
    for scalar in name.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars {
      let isMark = scalar.properties.canonicalCombiningClass != .notReordered
      if isMark { continue }
      guard let letters = spelling(of: scalar) else {
        isParted = true
        continue
      }
      let parted = (isParted && !slug.isEmpty ? "-" : "") + letters
      guard slug.utf8.count + parted.utf8.count <= limit else { break }
      slug += parted
      isParted = false
    }
    return slug.isEmpty ? nil : slug
  }

  private static func spelling(of scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "a"..."z", "0"..."9": String(Character(scalar))
    default: spellings[scalar]
    }
  }
}
