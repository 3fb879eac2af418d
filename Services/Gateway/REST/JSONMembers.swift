import MeetingModel

/// The members of a JSON object in a request. Callers read the members by name and type.
///
/// The methods treat a member with the value `null` as absent, and ignore unknown members. A method
/// that reads an invalid member throws `BadRequestException`, and the message of this error
/// contains the name of the member.
struct JSONMembers {
  private let members: [String: JSONValue]

  /// The names of the enclosing objects, each with a final dot.
  private let path: String

  /// The whole object, as a JSON value.
  var value: JSONValue { .object(members) }

  init(_ members: [String: JSONValue], at path: String = "") {
    self.members = members
    self.path = path
  }

  // MARK: One value

  func string(_ name: String) throws(RESTError) -> String? {
    switch members[name] {
    case .string(let text): return text
    case nil, .null: return nil
    default: throw wrong(name, "must be a string")
    }
  }

  func integer(_ name: String) throws(RESTError) -> Int? {
    switch members[name] {
    case .integer(let number): return Int(number)
    case nil, .null: return nil
    default: throw wrong(name, "must be a whole number")
    }
  }

  func flag(_ name: String) throws(RESTError) -> Bool? {
    switch members[name] {
    case .bool(let flag): return flag
    case nil, .null: return nil
    default: throw wrong(name, "must be true or false")
    }
  }

  func object(_ name: String) throws(RESTError) -> JSONMembers? {
    switch members[name] {
    case .object(let members): return JSONMembers(members, at: "\(path)\(name).")
    case nil, .null: return nil
    default: throw wrong(name, "must be an object")
    }
  }

  /// Reads a text, and validates it with the initializer of a type.
  func text<Value>(
    _ name: String, _ parse: (String) throws(InvalidModelValue) -> Value
  ) throws(RESTError) -> Value? {
    guard let text = try string(name) else { return nil }
    return try checked(name) { () throws(InvalidModelValue) in try parse(text) }
  }

  /// Reads a text that must be one of the values of the enumeration `Word`.
  func word<Word: RawRepresentable & CaseIterable>(
    _ name: String
  ) throws(RESTError) -> Word? where Word.RawValue == String {
    guard let text = try string(name) else { return nil }
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      throw wrong(name, "must be one of \(words)")
    }
    return word
  }

  // MARK: Lists

  /// Reads a list of strings.
  ///
  /// - Parameter counts: The allowed number of elements.
  func strings(
    _ name: String, _ counts: ClosedRange<Int>
  ) throws(RESTError) -> [String]? {
    guard let elements = try list(name, counts) else { return nil }
    var strings: [String] = []
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element else {
        throw wrong("\(name)[\(index)]", "must be a string")
      }
      strings.append(text)
    }
    return strings
  }

  /// Reads a list of objects.
  ///
  /// - Parameter counts: The allowed number of elements.
  func objects(
    _ name: String, _ counts: ClosedRange<Int>
  ) throws(RESTError) -> [JSONMembers]? {
    guard let elements = try list(name, counts) else { return nil }
    var objects: [JSONMembers] = []
    for (index, element) in elements.enumerated() {
      guard case .object(let members) = element else {
        throw wrong("\(name)[\(index)]", "must be an object")
      }
      objects.append(JSONMembers(members, at: "\(path)\(name)[\(index)]."))
    }
    return objects
  }

  private func list(
    _ name: String, _ counts: ClosedRange<Int>
  ) throws(RESTError) -> [JSONValue]? {
    switch members[name] {
    case .array(let elements):
      guard counts.contains(elements.count) else {
        throw wrong(name, "must have \(counts.lowerBound)-\(counts.upperBound) elements")
      }
      return elements
    case nil, .null: return nil
    default: throw wrong(name, "must be a list")
    }
  }

  // MARK: Checks

  /// Returns the value of a required member. Throws if the member is absent.
  func required<Value>(_ name: String, _ value: Value?) throws(RESTError) -> Value {
    guard let value else { throw wrong(name, "is required") }
    return value
  }

  /// Runs a check of the model. An error of this check becomes an error about the member `name`.
  func checked<Value>(
    _ name: String, _ check: () throws(InvalidModelValue) -> Value
  ) throws(RESTError) -> Value {
    do { return try check() } catch {
      throw RESTError(.badRequest, "\(path)\(name): \(error.status.message)")
    }
  }

  func wrong(_ name: String, _ problem: String) -> RESTError {
    RESTError(.badRequest, "\(path)\(name) \(problem).")
  }
}
