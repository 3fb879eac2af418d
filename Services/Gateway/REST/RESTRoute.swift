/// The operation that a request selects, and the parameters in its path.
///
/// This type replaces hummingbird's router. That router cannot select by the query. It also treats
/// two consecutive slashes as one slash, but a path with two consecutive slashes is invalid in this
/// interface.
struct RESTRoute: Sendable {
  let operation: RESTOperation
  let path: PathValues

  /// Selects an operation; returns `nil` unless the method, the path and the `operation` parameter
  /// match an operation.
  ///
  /// Monitors use HEAD. So HEAD selects the same operation as GET if the operation needs no
  /// signature.
  ///
  /// - Parameters:
  ///   - path: The path as the client sent it, still percent-encoded.
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
