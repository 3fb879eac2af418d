import ServiceHost

/// The statuses that the REST face answers with.
enum HTTPStatusCode: Int, MetricLabel {
  case ok = 200
  case noContent = 204
  case notModified = 304
  case badRequest = 400
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

/// An answer of the REST face.
struct RESTResponse: Sendable {
  var status: HTTPStatusCode
  var headers: [RESTRequest.Header] = []
  var body: [UInt8] = []

  /// An answer with a body, or without any.
  init(_ status: HTTPStatusCode, _ json: JSONValue? = nil) {
    self.status = status
    guard let json else { return }
    headers = [.init(name: "Content-Type", value: "application/json")]
    body = Array(json.text.utf8)
  }

  /// The description of this interface.
  init(openAPI document: [UInt8]) {
    self.init(.ok)
    headers = [.init(name: "Content-Type", value: "application/json")]
    body = document
  }

  /// The first header of this name, in any case.
  func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.lowercased() == name }?.value
  }
}
