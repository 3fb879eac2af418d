/// The parameters of a query, decoded.
struct QueryParameters {
  private let values: [String: [String]]

  /// - Throws: `BadRequestException` for an escape that is none.
  init(_ query: String) throws(RESTError) {
    var values: [String: [String]] = [:]
    for part in query.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentEncoding.decode(pair[0]),
        let value = PercentEncoding.decode(pair.count > 1 ? pair[1] : "")
      else { throw RESTError(.badRequest, "The query is not percent-encoded UTF-8.") }
      values[name, default: []].append(value)
    }
    self.values = values
  }

  /// All values of a parameter, in order.
  subscript(name: String) -> [String] { values[name] ?? [] }

  /// The value of a parameter that may be there once.
  ///
  /// - Throws: `BadRequestException` if it is there several times.
  func single(_ name: String) throws(RESTError) -> String? {
    let found = self[name]
    guard found.count <= 1 else {
      throw RESTError(.badRequest, "The query parameter \(name) is there more than once.")
    }
    return found.first
  }
}
