/// A complete request to the REST interface, as the client sent it.
struct RESTRequest: Sendable {
  /// The method in capitals, such as `POST`.
  var method: String

  /// The path, still percent-encoded.
  var path: String

  /// The text after the first question mark, still percent-encoded; empty if there is none.
  var query: String

  var headers: [Header]
  var body: [UInt8]

  /// The address of the connection's other end, without the port; empty if the gateway does not
  /// know the address.
  var address = ""

  /// A header line.
  struct Header: Hashable, Sendable {
    var name: String
    var value: String
  }

  /// - Parameter target: The path and the query, as in the request line.
  init(method: String, target: String, headers: [Header] = [], body: [UInt8] = []) {
    self.method = method
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts[0])
    query = parts.count > 1 ? String(parts[1]) : ""
    self.headers = headers
    self.body = body
  }

  /// Returns the first header with this name. The case of the name does not matter.
  func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.lowercased() == name }?.value
  }
}
