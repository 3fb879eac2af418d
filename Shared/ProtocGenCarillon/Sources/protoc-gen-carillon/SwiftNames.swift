/// Swift identifiers made of proto names.
enum SwiftNames {
  /// Words with letters that Swift writes in capitals when they are not the first.
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

  /// What every generated message has already.
  private static let taken: Set<String> = [
    "hash", "hashValue", "packed", "packedCount", "prepare", "protoName",
  ]

  /// `meeting_id` → `meetingID`.
  static func lowerCamel(_ name: String) -> String {
    let words = name.split(separator: "_").map { $0.lowercased() }
    let rest = words.dropFirst().map { acronyms[$0] ?? $0.capitalizedFirst }
    let camel = (words.first ?? "") + rest.joined()
    return camel.first?.isNumber == true ? "_" + camel : camel
  }

  /// A message or an enum; `Type`, which Swift does not allow inside of a type, is `Kind`.
  static func type(_ name: String) -> String { name == "Type" ? "Kind" : name }

  /// `choice_made` → `ChoiceMade`.
  static func upperCamel(_ name: String) -> String {
    name.split(separator: "_").map { $0.lowercased().capitalizedFirst }.joined()
  }

  /// `AudioVideoFacade` → `audioVideoFacade`, `SetMuted` → `setMuted`.
  static func lowerFirst(_ name: String) -> String {
    name.prefix(1).lowercased() + name.dropFirst()
  }

  /// A property of a message; a name that is taken gets `Field` behind it.
  static func property(_ name: String) -> String {
    let camel = lowerCamel(name)
    return escaped(taken.contains(camel) ? camel + "Field" : camel)
  }

  /// `STATUS_CODE_OK` of `StatusCode` → `ok`.
  static func enumCase(_ name: String, of enumeration: String) -> String {
    let prefix = upperSnake(enumeration) + "_"
    return escaped(lowerCamel(name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name))
  }

  static func escaped(_ identifier: String) -> String {
    keywords.contains(identifier) ? "`\(identifier)`" : identifier
  }

  /// `AttendeeState` → `ATTENDEE_STATE`.
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
