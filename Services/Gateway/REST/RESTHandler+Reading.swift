import MeetingModel
import Storage

// Functions that read requests, and that map errors to answers. Several operations use these
// functions.
extension RESTHandler {
  /// Returns the body, which must be one JSON object.
  ///
  /// - Parameter allowsText: Whether the body may have the type `text/plain`, which browsers set
  ///   when they send text. Use `true` only for a request that contains its own credentials,
  ///   because browsers send such a body for any page, without a CORS preflight.
  static func object(
    in request: RESTRequest, allowsText: Bool = false
  ) throws(RESTError) -> [String: JSONValue] {
    if !request.body.isEmpty {
      // Any page can make a browser send a body without a content type. The browser then makes no
      // CORS preflight.
      let type = request.header("Content-Type") ?? ""
      let mediaType = type.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
      guard mediaType == "application/json" || allowsText && mediaType == "text/plain" else {
        throw RESTError(
          .unsupportedMediaType,
          "The Content-Type must be application/json\(allowsText ? " or text/plain" : "").")
      }
    }
    guard !request.body.isEmpty else {
      throw RESTError(.serialization, "The body is empty; it must be a JSON object.")
    }
    let value: JSONValue
    do { value = try JSONParser.parse(request.body) } catch {
      // U+0000 is valid in JSON, but no value may contain it.
      throw RESTError(
        error.isUnusableValue ? .badRequest : .serialization,
        "The body cannot be used: after \(error.position) bytes, it is \(error.problem).")
    }
    guard case .object(let members) = value else {
      throw RESTError(.serialization, "The body must be a JSON object.")
    }
    return members
  }

  /// Returns the base of a meeting's URLs: the configured base, or the host in the client's
  /// request.
  func placementBase(for request: RESTRequest) throws(RESTError) -> String {
    if let configured = control.settings.publicURL { return configured.text }
    guard let host = request.header("Host"), !host.isEmpty else {
      return control.settings.localURL.text
    }
    guard let base = PublicURL(authority: host, isSecure: control.settings.localURL.isSecure)
    else {
      throw RESTError(
        .badRequest, "The Host header names no host; send the gateway's host name in it.")
    }
    return base.text
  }

  /// Calls the control plane, and maps the control plane's errors to errors of the published
  /// interface.
  func done<Value>(
    _ work: () async throws(Status) -> Value
  ) async throws(RESTError) -> Value {
    do { return try await work() } catch { throw RESTError(error) }
  }

  /// Calls the store. Logs and maps the store's errors as the control plane does.
  func stored<Value>(
    _ work: () async throws(StorageError) -> Value
  ) async throws(RESTError) -> Value {
    do throws(StorageError) { return try await work() } catch {
      throw RESTError(control.report(error))
    }
  }
}
