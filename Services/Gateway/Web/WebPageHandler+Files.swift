extension WebPageHandler {
  /// The content security policy of a page.
  ///
  /// Under this policy, the browser runs no text that a user enters as a script.
  private static let policy =
    "default-src 'self'; connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; "
    + "frame-ancestors 'none'; require-trusted-types-for 'script'"

  /// Returns a file of the page, or the answer to a CORS preflight; `nil` for other requests.
  func page(for request: RESTRequest) -> RESTResponse? {
    if request.method == "OPTIONS" { return preflight(for: request) }
    guard let files, request.method == "GET" || request.method == "HEAD" else { return nil }
    guard let file = files[request.path] else {
      return request.path.hasPrefix(WebFiles.versions) ? Self.missing : nil
    }
    let codings = AcceptedCodings(request.header("Accept-Encoding"))
    guard let representation = file.representation(for: codings) else {
      return Self.text(.notAcceptable, "The file is sent as it is, or in gzip.")
    }
    return answer(representation, of: file, to: request)
  }

  private func answer(
    _ sent: WebFiles.Representation, of file: WebFiles.File, to request: RESTRequest
  ) -> RESTResponse {
    let known = request.header("If-None-Match").map(EntityTags.init)
    let isKnown = known?.match(sent.tag) ?? false
    var response = RESTResponse(isKnown ? .notModified : .ok)
    response.headers = Self.headers(of: file) + [.init(name: "ETag", value: sent.tag)]
    guard !isKnown else { return response }
    response.headers.append(.init(name: "Content-Type", value: file.type))
    if sent == file.gzipped {
      response.headers.append(.init(name: "Content-Encoding", value: "gzip"))
    }
    response.body = sent.bytes
    return response
  }

  private static func headers(of file: WebFiles.File) -> [RESTRequest.Header] {
    let forGood = "public, max-age=31536000, immutable"
    return [
      .init(name: "Cache-Control", value: file.isImmutable ? forGood : "no-cache"),
      .init(name: "Vary", value: "Accept-Encoding"),
      .init(name: "X-Content-Type-Options", value: "nosniff"),
    ] + (file.isDocument ? policies : [])
  }

  /// The policy headers of a document.
  ///
  /// Scripts use the policy of their document. If the responses with scripts also carried these
  /// headers, each of these responses would be a third larger.
  private static var policies: [RESTRequest.Header] {
    [
      .init(name: "Content-Security-Policy", value: policy),
      .init(
        name: "Permissions-Policy",
        value: "camera=(self), microphone=(self), display-capture=(self)"),
      .init(name: "Referrer-Policy", value: "no-referrer"),
    ]
  }

  /// The answer for an address that has no file, or that contains another version.
  ///
  /// Browsers must not cache this answer, because the next version may have a file at this address.
  private static var missing: RESTResponse {
    text(.notFound, "There is no such file in this version of the page.")
  }

  private static func text(_ status: HTTPStatusCode, _ sentence: String) -> RESTResponse {
    var response = RESTResponse(status)
    response.headers = [
      .init(name: "Cache-Control", value: "no-store"),
      .init(name: "Content-Type", value: "text/plain; charset=utf-8"),
      .init(name: "Vary", value: "Accept-Encoding"),
      .init(name: "X-Content-Type-Options", value: "nosniff"),
    ]
    response.body = Array("\(sentence)\n".utf8)
    return response
  }
}
