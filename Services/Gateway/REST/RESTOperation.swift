/// One operation of the REST API: a row of ``RESTOperation/table``.
///
/// The row defines who may use the operation, how the gateway reads requests, what the operation
/// does, and what the gateway answers. Code that distinguishes operations uses only these rows.
struct RESTOperation: Sendable {
  enum Method: String {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  let name: Name
  let method: Method
  let path: PathTemplate
  let selector: OperationQueryCondition
  let right: RequiredRight

  /// The sources of the request's parts, in the order in which the gateway reads them.
  let sources: [ParameterLocation]

  /// The status and the members of a successful answer.
  let shape: ResponseSchema

  /// Reads the request, carries it out, and creates the answer.
  let respond: @Sendable (RESTCall) async throws(RESTError) -> RESTResponse

  /// - Parameters:
  ///   - name: The `operationId` in the API's description, and the label in metrics.
  ///   - selector: The condition on the query's `operation` parameter.
  ///   - parts: The parts of a request that the action needs. The gateway reads them in this order,
  ///     and reports the first error.
  ///   - action: The method of ``RESTHandler`` that carries out the operation.
  ///   - answer: The conversion of the action's result to a response.
  /// - Precondition: The parts read each parameter in the path, and no other parameter.
  init<each Input, Output>(
    _ name: StaticString, _ method: Method, _ path: String,
    operation selector: OperationQueryCondition = .absent, _ right: RequiredRight,
    reads parts: repeat RequestPart<each Input>,
    does action:
      @escaping @Sendable (RESTHandler) -> (repeat each Input) async throws(RESTError) -> Output,
    answers answer: ResponseEncoder<Output>
  ) {
    self.name = Name(name)
    self.method = method
    self.path = PathTemplate(path)
    self.selector = selector
    self.right = right
    shape = answer.shape
    respond = { (call) async throws(RESTError) in
      answer.write(try await action(call.face)(repeat try (each parts).read(call)))
    }
    var sources: [ParameterLocation] = []
    for part in repeat each parts { sources.append(part.source) }
    self.sources = sources
    precondition(
      readsItsPath, "\(name) must read the parameters of its path, and no other: \(path).")
  }

  private var readsItsPath: Bool {
    let read = sources.compactMap { if case .path(let parameter) = $0 { parameter } else { nil } }
    return Set(read) == Set(path.parameters)
  }

  /// Whether requests need no signature.
  var isPublic: Bool { right == .none }

  /// Returns whether a request of this method may select the operation.
  func takes(_ method: String) -> Bool {
    method == self.method.rawValue || method == "HEAD" && self.method == .get && isPublic
  }
}
