import MeetingModel
import Storage

// What operations share: reading a request, and reporting what the control plane refuses.
extension RESTHandler {
  /// The body, which must be one JSON object.
  ///
  /// - Parameter allowsText: The body may be called `text/plain`, as browsers do that are given a
  ///   text. Only for an operation that takes its credentials from the request alone: browsers send
  ///   such a body for any page without asking.
  static func object(
    in request: RESTRequest, allowsText: Bool = false
  ) throws(RESTError) -> [String: JSONValue] {
    if !request.body.isEmpty {
      // A body without a type is one that a browser sends for any page without asking.
      let type = request.header("Content-Type") ?? ""
      let mediaType = type.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
      guard mediaType == "application/json" || allowsText && mediaType == "text/plain" else {
        throw RESTError(
          .unsupportedMediaType,
          "The body must be application/json\(allowsText ? " or text/plain" : "").")
      }
    }
    guard !request.body.isEmpty else {
      throw RESTError(.serialization, "The body is empty; it must be a JSON object.")
    }
    let value: JSONValue
    do { value = try JSONParser.parse(request.body) } catch {
      // The character U+0000 is JSON, and a value that nobody may have.
      throw RESTError(
        error.isUnusableValue ? .badRequest : .serialization,
        "The body is \(error.problem), after \(error.position) bytes.")
    }
    guard case .object(let members) = value else {
      throw RESTError(.serialization, "The body must be a JSON object.")
    }
    return members
  }

  /// What the meeting's URLs are built on: as configured, or what this client found us by.
  func placementBase(for request: RESTRequest) throws(RESTError) -> String {
    if let configured = control.settings.publicURL { return configured.text }
    guard let host = request.header("Host"), !host.isEmpty else {
      return control.settings.localURL.text
    }
    guard let base = PublicURL(authority: host, isSecure: control.settings.localURL.isSecure)
    else {
      throw RESTError(.badRequest, "The Host header names no host.")
    }
    return base.text
  }

  /// Asks the control plane; what it refuses with becomes what clients know.
  func done<Value>(
    _ work: () async throws(Status) -> Value
  ) async throws(RESTError) -> Value {
    do { return try await work() } catch { throw RESTError(error) }
  }

  /// Asks the store; its errors are logged and reported as the control plane does.
  func stored<Value>(
    _ work: () async throws(StorageError) -> Value
  ) async throws(RESTError) -> Value {
    do throws(StorageError) { return try await work() } catch {
      throw RESTError(control.report(error))
    }
  }
}
