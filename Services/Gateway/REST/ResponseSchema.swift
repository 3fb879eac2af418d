/// The successful response of an operation: its status, and the members of its JSON object.
struct ResponseSchema: Hashable, Sendable {
  let status: HTTPStatusCode

  /// Members that every answer has; `nil` if the body is not a JSON object with known members.
  var required: Set<String>?

  /// Members that an answer may have.
  var optional: Set<String> = []

  /// Returns whether an object has all required members, and no unknown members.
  func fits(_ members: some Sequence<String>) -> Bool {
    guard let required else { return false }
    let present = Set(members)
    return present.isSuperset(of: required)
      && present.isSubset(of: required.union(optional))
  }
}

/// The conversion of an operation's result to a response, and the shape of this response.
struct ResponseEncoder<Output>: Sendable {
  let shape: ResponseSchema
  let write: @Sendable (Output) -> RESTResponse
}

extension ResponseEncoder where Output == Void {
  /// A response with status 204.
  static var noContent: ResponseEncoder {
    ResponseEncoder(shape: ResponseSchema(status: .noContent)) { RESTResponse(.noContent) }
  }

  /// A response with status 200 and no body.
  static var empty: ResponseEncoder {
    ResponseEncoder(shape: ResponseSchema(status: .ok)) { RESTResponse(.ok) }
  }
}

extension ResponseEncoder where Output == [String: JSONValue] {
  /// Returns an answer with status 200 and a JSON object.
  ///
  /// - Parameters:
  ///   - required: The members that every answer has.
  ///   - optional: The members that an answer may have.
  static func object(_ required: String..., optional: [String] = []) -> ResponseEncoder {
    let shape = ResponseSchema(status: .ok, required: Set(required), optional: Set(optional))
    return ResponseEncoder(shape: shape) { members in
      assert(shape.fits(members.keys), "The row declares other members than \(members.keys).")
      return RESTResponse(.ok, .object(members))
    }
  }
}

extension ResponseEncoder where Output == RESTResponse {
  /// A response that the operation itself creates, because the response is not always a JSON object
  /// with status 200.
  static var written: ResponseEncoder { ResponseEncoder(shape: ResponseSchema(status: .ok)) { $0 } }
}
