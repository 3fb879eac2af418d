/// The names that `protoc-c` 1.4 uses in its generated headers.
enum ProtobufCNames {
  /// Field names to which `protoc-c` adds an underscore: the keywords of C and C++.
  private static let keywords: Set<String> = [
    "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
    "class", "compl", "const", "const_cast", "continue", "default", "delete", "do", "double",
    "dynamic_cast", "else", "enum", "explicit", "extern", "false", "float", "for", "friend", "goto",
    "if", "inline", "int", "long", "mutable", "namespace", "new", "not", "not_eq", "operator", "or",
    "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "return", "short",
    "signed", "sizeof", "static", "static_cast", "struct", "switch", "template", "this", "throw",
    "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using", "virtual", "void",
    "volatile", "wchar_t", "while", "xor", "xor_eq",
  ]

  /// Returns the name of a message or an enum: `Carillon__V1__JoinRequest__Inner` for
  /// `carillon.v1.JoinRequest.Inner`.
  static func type(_ fullName: String) -> String {
    fullName.split(separator: ".").map { camel(String($0)) }.joined(separator: "__")
  }

  /// Returns the name of the function that initializes a message:
  /// `carillon__v1__join_request__init` for `carillon.v1.JoinRequest`.
  static func initializer(_ fullName: String) -> String {
    fullName.split(separator: ".").map { snake(String($0)) }.joined(separator: "__") + "__init"
  }

  static func field(_ name: String) -> String {
    let lower = name.lowercased()
    return SwiftNames.escaped(keywords.contains(lower) ? lower + "_" : lower)
  }

  static func count(_ name: String) -> String {
    "n_" + (keywords.contains(name.lowercased()) ? name.lowercased() + "_" : name.lowercased())
  }

  /// Returns the member that states whether an optional field has a value.
  static func presence(_ name: String) -> String {
    "has_" + (keywords.contains(name.lowercased()) ? name.lowercased() + "_" : name.lowercased())
  }

  /// Returns the member that states which field of a oneof has a value: `choice_case` for `choice`.
  static func oneofCase(_ name: String) -> String { snake(name) + "_case" }

  private static func camel(_ name: String) -> String {
    name.split(separator: "_").map { String($0).capitalizedFirst }.joined()
  }

  private static func snake(_ name: String) -> String {
    var snake = ""
    var previousIsUpper = true
    for character in name {
      if character.isUppercase, !previousIsUpper { snake += "_" }
      snake += character.lowercased()
      previousIsUpper = character.isUppercase
    }
    return snake
  }
}
