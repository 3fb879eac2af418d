internal import Output
package import Signing

/// An HTTP request: method, path with query, and an optional JSON body.
package struct HTTPRequest: Hashable, Sendable {
  package enum Method: String, Hashable, Sendable {
    case get = "GET"
    case post = "POST"
    case delete = "DELETE"
  }

  package let method: Method
  package let path: String
  package let json: String?

  /// The headers that only some requests have.
  private var headers: [SignableRequest.Header] = []

  package init(_ method: Method, _ path: String, json: String? = nil) {
    self.method = method
    self.path = path
    self.json = json
  }

  /// Returns the encoded request. The request asks the server to close the connection after the
  /// response.
  package func bytes(host: String) -> [UInt8] {
    var head = "\(method.rawValue) \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
    if json != nil { head += "Content-Type: application/json\r\n" }
    for header in headers { head += "\(header.name): \(header.value)\r\n" }
    if json != nil || method != .get { head += "Content-Length: \(json?.utf8.count ?? 0)\r\n" }
    return Array("\(head)\r\n\(json ?? "")".utf8)
  }

  /// Returns the request with a signature.
  ///
  /// - Parameters:
  ///   - host: The host that receives the request, as in ``bytes(host:)``.
  ///   - seconds: The time of signing, in seconds since 1970-01-01T00:00:00Z.
  package func signed(
    by signer: RequestSigner, host: String, at seconds: Int64
  ) -> HTTPRequest {
    let parts = path.split(separator: "?", maxSplits: 1).map { String($0) }
    var covered: [SignableRequest.Header] = [.init("Host", host)]
    if json != nil { covered.append(.init("Content-Type", "application/json")) }
    let request = SignableRequest(
      method: method.rawValue, path: parts[0], query: parts.count > 1 ? parts[1] : "",
      headers: covered, body: Array((json ?? "").utf8))
    var signed = self
    signed.headers = signer.headers(for: request, at: seconds)
    return signed
  }
}
