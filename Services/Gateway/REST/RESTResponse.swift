import ServiceHost

/// The statuses of responses.
enum HTTPStatusCode: Int, MetricLabel {
  case ok = 200
  case noContent = 204
  case notModified = 304
  case badRequest = 400
  case unauthorized = 401
  case forbidden = 403
  case notFound = 404
  case notAcceptable = 406
  case conflict = 409
  case contentTooLarge = 413
  case unsupportedMediaType = 415
  case unprocessable = 422
  case tooManyRequests = 429
  case internalServerError = 500
  case serviceUnavailable = 503

  static let labelName = "status"
  var labelValue: String { "\(rawValue)" }
}

/// A response of the REST interface.
struct RESTResponse: Sendable {
  var status: HTTPStatusCode
  var headers: [RESTRequest.Header] = []
  var body: [UInt8] = []

  /// Creates a response with a JSON body or without a body.
  init(_ status: HTTPStatusCode, _ json: JSONValue? = nil) {
    self.status = status
    guard let json else { return }
    headers = [.init(name: "Content-Type", value: "application/json")]
    body = Array(json.text.utf8)
  }

  /// Creates the response that contains the description of this interface.
  init(openAPI document: [UInt8]) {
    self.init(.ok)
    headers = [.init(name: "Content-Type", value: "application/json")]
    body = document
  }

  /// Returns the first header with this name. The case of the name does not matter.
  func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.lowercased() == name }?.value
  }
}
