/// The conversions of names in `.proto` files to Swift identifiers.
enum SwiftNames {
  /// The words that Swift names contain in capital letters, except as the first word of a name.
  private static let acronyms: [String: String] = [
    "id": "ID", "ids": "IDs", "url": "URL", "urls": "URLs", "http": "HTTP", "https": "HTTPS",
    "ssrc": "SSRC", "ssrcs": "SSRCs", "rtp": "RTP", "16k": "16K", "48k": "48K",
  ]

  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "as", "associatedtype", "await", "break", "case", "catch",
    "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension",
    "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
    "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
    "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// The names that every generated message already uses.
  private static let taken: Set<String> = [
    "hash", "hashValue", "packed", "packedCount", "prepare", "protoName",
  ]

  /// Converts the name of a field to a Swift name, for example `meeting_id` to `meetingID`.
  static func lowerCamel(_ name: String) -> String {
    let words = name.split(separator: "_").map { $0.lowercased() }
    let rest = words.dropFirst().map { acronyms[$0] ?? $0.capitalizedFirst }
    let camel = (words.first ?? "") + rest.joined()
    return camel.first?.isNumber == true ? "_" + camel : camel
  }

  /// Returns the name of a message or an enum. `Type` becomes `Kind`, because Swift does not allow
  /// a nested type named `Type`.
  static func type(_ name: String) -> String { name == "Type" ? "Kind" : name }

  /// Converts a name with underscores to a name with capital letters, for example `choice_made` to
  /// `ChoiceMade`.
  static func upperCamel(_ name: String) -> String {
    name.split(separator: "_").map { $0.lowercased().capitalizedFirst }.joined()
  }

  /// Converts the first letter of a name to lower case, for example `SetMuted` to `setMuted`.
  static func lowerFirst(_ name: String) -> String {
    name.prefix(1).lowercased() + name.dropFirst()
  }

  /// Returns the name of a property of a message. A name that is already used gets the suffix
  /// `ProtoField`.
  static func property(_ name: String) -> String {
    let camel = lowerCamel(name)
    return escaped(taken.contains(camel) ? camel + "Field" : camel)
  }

  /// Converts the name of an enum's value to a Swift name, for example `STATUS_CODE_OK` of
  /// `StatusCode` to `ok`.
  static func enumCase(_ name: String, of enumeration: String) -> String {
    let prefix = upperSnake(enumeration) + "_"
    return escaped(lowerCamel(name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name))
  }

  static func escaped(_ identifier: String) -> String {
    keywords.contains(identifier) ? "`\(identifier)`" : identifier
  }

  /// Converts a name with capital letters to upper case with underscores, for example
  /// `AttendeeState` to `ATTENDEE_STATE`.
  private static func upperSnake(_ name: String) -> String {
    var snake = ""
    var previousIsUpper = true
    for character in name {
      if character.isUppercase, !previousIsUpper { snake += "_" }
      snake += character.uppercased()
      previousIsUpper = character.isUppercase
    }
    return snake
  }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
