internal import ArgumentParser

/// The effective settings from flags and environment, logged once at start.
///
/// This type reads the values by reflection for two reasons. The parser keeps the values private,
/// and every option of every service must appear without a second list of the options.
enum SettingsReport {
  /// Returns each option of a parsed command with the option's value, for example `max-attendees`
  /// with `300`.
  ///
  /// This method omits options without a value. The result hides the user and the password in a
  /// URL.
  static func settings(of arguments: any ParsableArguments) -> [String: String] {
    var settings: [String: String] = [:]
    for child in Mirror(reflecting: arguments).children {
      guard let label = child.label, label.hasPrefix("_"),
        let value = Mirror(reflecting: child.value).descendant("_parsedValue", "value")
      else { continue }
      if let group = value as? any ParsableArguments {
        settings.merge(Self.settings(of: group)) { first, _ in first }
      } else if let text = text(of: value) {
        settings[flagName(of: label.dropFirst())] = text
      }
    }
    return settings
  }

  private static func text(of value: Any) -> String? {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      return mirror.children.first.flatMap { text(of: $0.value) }
    case .collection:
      return mirror.children.compactMap { text(of: $0.value) }.joined(separator: ",")
    default:
      return hidingCredentials(in: String(describing: value))
    }
  }

  /// Returns the flag name that the parser derives from the name of a property: `maxAttendees`
  /// becomes `--max-attendees`.
  private static func flagName(of property: Substring) -> String {
    var name = ""
    for character in property {
      if character.isUppercase, !name.isEmpty { name.append("-") }
      name.append(contentsOf: character.lowercased())
    }
    return name
  }

  /// Hides credentials: `redis://ada:secret@host` becomes `redis://***@host`.
  private static func hidingCredentials(in text: String) -> String {
    guard let scheme = text.firstRange(of: "://") else { return text }
    let rest = text[scheme.upperBound...]
    let authority = rest.prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return text }
    return "\(text[..<scheme.upperBound])***\(rest[at...])"
  }
}
