/// The operation that a request asks for, and the parameters in its path.
///
/// Replaces hummingbird's router, which cannot route by query, and which merges doubled slashes,
/// although they match nothing here.
struct RESTRoute: Sendable {
  let operation: RESTOperation
  let path: PathValues

  /// Selects an operation; `nil` unless method, path and `operation` parameter together match one.
  ///
  /// HEAD selects an operation that needs no signature like GET, because monitors use HEAD.
  ///
  /// - Parameters:
  ///   - path: The path as it was sent, still percent-encoded.
  ///   - operations: All values of the query's `operation` parameter.
  init?(method: String, path: String, operations: [String]) {
    guard operations.count <= 1, let segments = PathTemplate.segments(of: path) else { return nil }
    let named = RESTOperation.table.filter { $0.path.matches(segments) }
    let literals = named.map(\.path.literals).max()
    let found = named.first { operation in
      operation.path.literals == literals && operation.takes(method)
        && operation.selector.takes(operations.first)
    }
    guard let found else { return nil }
    operation = found
    self.path = found.path.values(in: segments)
  }
}
