import MeetingModel

/// Creates external user ids for guests, because no application assigns ids to guests.
///
/// An id consists of the ASCII spelling of the name and six random characters, for example
/// `lukasz-7k2m9x`.
enum GuestIDGenerator {
  /// In an id, the maximum length of the part that comes from the name. With a hyphen and six more
  /// characters, the id has at most 64 characters.
  private static let mostOfName = 57

  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")

  /// Returns an id that is not in `taken`.
  static func make(
    for name: DisplayName, avoiding taken: Set<String>,
    using generator: inout some RandomNumberGenerator
  ) throws(InvalidModelValue) -> ExternalUserID {
    let slug = slug(of: name)
    while true {
      let random = (0..<6).map { _ in alphabet[Int.random(in: 0..<36, using: &generator)] }
      let id = "\(slug)-\(String(random))"
      if !taken.contains(id) { return try ExternalUserID(id) }
    }
  }

  /// Returns the name's ``ASCIISlug``; `guest` if the name has none.
  static func slug(of name: DisplayName) -> String {
    ASCIISlug.make(of: name.text, atMost: mostOfName) ?? "guest"
  }
}
