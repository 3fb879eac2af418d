import Testing

@testable import Gateway

/// Tests of the table of operations: the rules of the table, and whether the table agrees with
/// `openapi.json`.
@Suite struct OperationTableTests {
  private static let rows = RESTOperation.table

  /// The rows that `openapi.json` describes: the rows below `/carillon/v1/`, except the page's
  /// rows.
  private static let described = rows.filter { row in
    row.path.text.hasPrefix("/carillon/v1/") && !"\(row.path.text)/".hasPrefix("/carillon/v1/web/")
  }

  private static func document() throws -> JSONValue {
    try JSONParser.parse(OpenAPIDocument.bytes)
  }

  /// Returns the operations of `openapi.json`, by method and path.
  private static func operations() throws -> [String: JSONValue] {
    var operations: [String: JSONValue] = [:]
    for (path, methods) in try document()["paths"].members {
      for (method, operation) in methods.members {
        operations["\(method.uppercased()) \(path)"] = operation
      }
    }
    return operations
  }

  private static func key(_ row: RESTOperation) -> String {
    "\(row.method.rawValue) \(row.path.text)"
  }

  /// Returns the description of a row; `null` if the row has no description.
  private static func description(of row: RESTOperation) throws -> JSONValue {
    try operations()[key(row)] ?? .null
  }

  /// Returns the given schema or, if this schema is a reference, the schema to which the reference
  /// points.
  private static func resolved(_ schema: JSONValue) throws -> JSONValue {
    guard let name = schema["$ref"].string.split(separator: "/").last else { return schema }
    return try document()["components", "schemas", String(name)]
  }

  // MARK: The document

  @Test func `the OpenAPI document describes exactly the served operations`() throws {
    let document = try Self.operations().mapValues { $0["operationId"].string }
    let rows = Self.described.map { (Self.key($0), $0.name.labelValue) }
    #expect(document == Dictionary(uniqueKeysWithValues: rows))
  }

  @Test(arguments: described.map(\.name))
  func `an operation reads the parameters and the body that the OpenAPI document specifies`(
    name: RESTOperation.Name
  ) throws {
    let row = try #require(Self.row(name))
    let description = try Self.description(of: row)
    let parameters = description["parameters"].elements.map { parameter in
      "\(parameter["in"].string) \(parameter["name"].string)"
    }
    #expect(Set(parameters) == Set(row.sources.flatMap(\.parameters)))
    #expect((description["requestBody"] != .null) == row.sources.contains(.body))
  }

  @Test(arguments: described.map(\.name))
  func `an operation needs the credentials that the OpenAPI document requires`(
    name: RESTOperation.Name
  ) throws {
    let row = try #require(Self.row(name))
    let security = try Self.description(of: row)["security"]
    let wanted: JSONValue =
      switch row.right {
      case .none: .array([])
      case .host: .array([.object(["HostToken": .array([])])])
      default: .null
      }
    #expect(security == wanted)
  }

  @Test(arguments: described.map(\.name))
  func `an operation answers with the status and members that the OpenAPI document specifies`(
    name: RESTOperation.Name
  ) throws {
    let row = try #require(Self.row(name))
    let responses = try Self.description(of: row)["responses"]
    #expect(Set(responses.members.keys) == ["\(row.shape.status.rawValue)", "default"])
    guard let required = row.shape.required else { return }
    let schema = try Self.resolved(responses["200", "content", "application/json", "schema"])
    #expect(Set(schema["required"].elements.map(\.string)) == required)
    #expect(Set(schema["properties"].members.keys) == required.union(row.shape.optional))
  }

  // MARK: The rows

  @Test func `no two operations match the same request`() {
    let requests = Self.rows.map { "\(Self.key($0)) \($0.selector)" }
    #expect(Set(requests).count == Self.rows.count)
  }

  @Test func `only the caption operation has two HTTP methods`() {
    let counts = Dictionary(grouping: Self.rows, by: \.name).mapValues(\.count)
    #expect(counts.filter { $0.value > 1 }.map(\.key.labelValue) == ["CaptionFromWeb"])
    #expect(Set(RESTOperation.Name.allCases) == Set(Self.rows.map(\.name)).union([.unknown]))
  }

  @Test func `each operation is found by its own path`() {
    for row in Self.rows {
      var operations: [String] = []
      if case .value(let operation) = row.selector { operations = [operation] }
      let route = RESTRoute(
        method: row.method.rawValue, path: row.path.text.replacing(/[{}]/, with: ""),
        operations: operations)
      #expect(route?.operation.name == row.name)
    }
  }

  // MARK: Rules for rows

  @Test func `the process stops if an operation ignores a parameter of the operation's path`() async
  {
    await #expect(processExitsWith: .failure) {
      _ = RESTOperation(
        "GetNothing", .get, "/meetings/{MeetingId}", .key(.reads),
        does: RESTHandler.getLimits, answers: .object("Limits"))
    }
  }

  @Test func `the process stops if an operation reads a parameter that its path does not have`()
    async
  {
    await #expect(processExitsWith: .failure) {
      _ = RESTOperation(
        "GetNothing", .get, "/meetings", .key(.reads),
        reads: .meeting, does: RESTHandler.deleteMeeting, answers: .noContent)
    }
  }

  @Test func `a path without a leading slash or with an unknown parameter stops the process`() async
  {
    await #expect(processExitsWith: .failure) { _ = PathTemplate("/meetings/{RoomId}") }
    await #expect(processExitsWith: .failure) { _ = PathTemplate("meetings") }
  }

  @Test(arguments: [
    (["A"], true), (["A", "B"], true), ([], false), (["B"], false), (["A", "C"], false),
  ])
  func `an answer has all required members and no unknown members`(members: [String], fits: Bool) {
    let shape = ResponseSchema(status: .ok, required: ["A"], optional: ["B"])
    #expect(shape.fits(members) == fits)
    #expect(!ResponseSchema(status: .ok).fits(members))
  }

  private static func row(_ name: RESTOperation.Name) -> RESTOperation? {
    described.first { $0.name == name }
  }
}

extension JSONValue {
  /// The members of an object; empty for another value.
  fileprivate var members: [String: JSONValue] {
    if case .object(let members) = self { members } else { [:] }
  }
}

extension ParameterLocation {
  /// The parameters that OpenAPI describes: all parameters except the header `Accept`. In OpenAPI,
  /// the media types of the response take the place of this header.
  fileprivate var parameters: [String] {
    switch self {
    case .path(let parameter): ["path \(parameter.rawValue)"]
    case .query(let names): names.map { "query \($0)" }
    case .body, .header, .caller, .request: []
    }
  }
}
