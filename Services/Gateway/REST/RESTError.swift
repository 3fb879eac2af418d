import MeetingModel

/// The reason why the gateway rejects a request, and the name of this reason in the published
/// interface.
struct RESTError: Error, Hashable {
  /// The error names of the published interface, and the names for requests without an operation.
  enum Name: String, CaseIterable {
    case badRequest = "BadRequestException"
    case conflict = "ConflictException"
    case forbidden = "ForbiddenException"
    case incompleteSignature = "IncompleteSignatureException"
    case invalidSignature = "InvalidSignatureException"
    case limitExceeded = "LimitExceededException"
    case missingAuthenticationToken = "MissingAuthenticationTokenException"
    case notFound = "NotFoundException"
    case resourceNotFound = "ResourceNotFoundException"
    case requestEntityTooLarge = "RequestEntityTooLargeException"
    case serialization = "SerializationException"
    case serviceFailure = "ServiceFailureException"
    case serviceUnavailable = "ServiceUnavailableException"
    case throttling = "ThrottlingException"
    case tooManyTags = "TooManyTagsException"
    case unauthorizedClient = "UnauthorizedClientException"
    case unknownOperation = "UnknownOperationException"
    case unprocessableEntity = "UnprocessableEntityException"
    case unrecognizedClient = "UnrecognizedClientException"
    case unsupportedMediaType = "UnsupportedMediaTypeException"
  }

  let name: Name

  /// A description of the fault and of the faulty member, for a human reader.
  ///
  /// The message contains no secrets.
  let message: String

  /// The ARN that the error concerns; `nil` for none.
  var resourceName: String?

  /// The number of seconds before a retry; `nil` if a retry does not help.
  var retryAfter: Int?

  init(_ name: Name, _ message: String, resourceName: String? = nil, retryAfter: Int? = nil) {
    self.name = name
    self.message = message
    self.resourceName = resourceName
    self.retryAfter = retryAfter ?? (name == .serviceUnavailable ? 1 : nil)
  }

  /// Maps the status of a failed operation to an error for clients.
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
    // The details of an internal error are only in the log.
    let isOurs = name == .serviceFailure
    self.init(name, isOurs ? "The request could not be carried out; try again." : status.message)
  }

  /// Maps the status of a failed operation on the tags of `arn` to an error for clients.
  init(_ status: Status, ofTagsAt arn: String) {
    switch status.code {
    case .notFound: self.init(.resourceNotFound, status.message, resourceName: arn)
    case .resourceExhausted: self.init(.tooManyTags, status.message, resourceName: arn)
    default: self.init(status)
    }
  }

  var status: HTTPStatusCode {
    switch name {
    case .badRequest, .limitExceeded, .serialization, .tooManyTags: .badRequest
    case .forbidden, .incompleteSignature, .invalidSignature, .missingAuthenticationToken,
      .unrecognizedClient:
      .forbidden
    case .unauthorizedClient: .unauthorized
    case .notFound, .resourceNotFound, .unknownOperation: .notFound
    case .conflict: .conflict
    case .requestEntityTooLarge: .contentTooLarge
    case .throttling: .tooManyRequests
    case .unsupportedMediaType: .unsupportedMediaType
    case .unprocessableEntity: .unprocessable
    case .serviceFailure: .internalServerError
    case .serviceUnavailable: .serviceUnavailable
    }
  }

  /// Encodes the error as a response.
  func response(requestID: String) -> RESTResponse {
    var members: [String: JSONValue] = [
      "Code": .string(code), "Message": .string(message), "RequestId": .string(requestID),
    ]
    members["ResourceName"] = resourceName.map { .string($0) }
    var response = RESTResponse(status, .object(members))
    response.headers.append(.init(name: "x-amzn-ErrorType", value: name.rawValue))
    if status == .unauthorized {
      // RFC 9110, §11.6.1: a 401 names the scheme that the server accepts.
      response.headers.append(.init(name: "WWW-Authenticate", value: "Bearer"))
    }
    if let retryAfter {
      response.headers.append(.init(name: "Retry-After", value: "\(retryAfter)"))
    }
    return response
  }

  /// The short name of the error.
  private var code: String {
    switch name {
    case .unprocessableEntity: "Unprocessable"
    case .throttling: "Throttled"
    default: String(name.rawValue.dropLast("Exception".count))
    }
  }
}
