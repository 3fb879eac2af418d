import MeetingModel

/// Why a request is refused, by the names that clients know.
struct RESTError: Error, Hashable {
  /// The names of the published interface, and of errors before an operation is known.
  enum Name: String, CaseIterable {
    case badRequest = "BadRequestException"
    case conflict = "ConflictException"
    case forbidden = "ForbiddenException"
    case limitExceeded = "LimitExceededException"
    case missingAuthenticationToken = "MissingAuthenticationTokenException"
    case notFound = "NotFoundException"
    case requestEntityTooLarge = "RequestEntityTooLargeException"
    case serialization = "SerializationException"
    case serviceFailure = "ServiceFailureException"
    case serviceUnavailable = "ServiceUnavailableException"
    case unknownOperation = "UnknownOperationException"
    case unprocessableEntity = "UnprocessableEntityException"
    case unrecognizedClient = "UnrecognizedClientException"
    case unsupportedMediaType = "UnsupportedMediaTypeException"
  }

  let name: Name

  /// Tells a person what was wrong, and with which member. It holds no secrets.
  let message: String

  init(_ name: Name, _ message: String) {
    self.name = name
    self.message = message
  }

  /// What a failed operation is to a client.
  init(_ status: Status) {
    let name: Name =
      switch status.code {
      case .invalidArgument, .outOfRange: .badRequest
      case .notFound: .notFound
      case .alreadyExists: .conflict
      case .resourceExhausted: .limitExceeded
      case .failedPrecondition: .unprocessableEntity
      case .permissionDenied, .unauthenticated: .forbidden
      case .unavailable, .deadlineExceeded, .aborted, .cancelled: .serviceUnavailable
      case .ok, .unknown, .unimplemented, .internalError, .dataLoss: .serviceFailure
      }
    // A bug's own words stay in the log.
    let isOurs = name == .serviceFailure
    self.init(name, isOurs ? "The request could not be carried out; try again." : status.message)
  }

  var status: HTTPStatusCode {
    switch name {
    case .badRequest, .limitExceeded, .serialization: .badRequest
    case .forbidden, .missingAuthenticationToken, .unrecognizedClient: .forbidden
    case .notFound, .unknownOperation: .notFound
    case .conflict: .conflict
    case .requestEntityTooLarge: .contentTooLarge
    case .unsupportedMediaType: .unsupportedMediaType
    case .unprocessableEntity: .unprocessable
    case .serviceFailure: .internalServerError
    case .serviceUnavailable: .serviceUnavailable
    }
  }

  /// The error envelope.
  func response(requestID: String) -> RESTResponse {
    var response = RESTResponse(
      status,
      .object([
        "Code": .string(code), "Message": .string(message), "RequestId": .string(requestID),
      ]))
    response.headers.append(.init(name: "x-amzn-ErrorType", value: name.rawValue))
    if name == .serviceUnavailable {
      response.headers.append(.init(name: "Retry-After", value: "1"))
    }
    return response
  }

  /// The short name.
  private var code: String {
    name == .unprocessableEntity
      ? "Unprocessable" : String(name.rawValue.dropLast("Exception".count))
  }
}
