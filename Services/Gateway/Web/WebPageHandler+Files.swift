extension WebPageHandler {
  /// Returns the content security policy of a page.
  ///
  /// Under this policy, text that a user enters never runs as a script.
  ///
  /// - Parameter ancestors: The origins whose pages may show the page in a frame.
  private static func policy(framedBy ancestors: [String]) -> String {
    let framing = ancestors.isEmpty ? "'none'" : ancestors.joined(separator: " ")
    return "default-src 'self'; connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; "
      + "frame-ancestors \(framing); require-trusted-types-for 'script'"
  }

  /// Returns a file of the page, or the answer to a CORS preflight; `nil` for other requests.
  func page(for request: RESTRequest) -> RESTResponse? {
    if request.method == "OPTIONS" { return preflight(for: request) }
    guard let files, request.method == "GET" || request.method == "HEAD" else { return nil }
    if request.path == WebEmbedding.path { return embeddedPage(of: files, for: request) }
    guard let file = files[request.path] else {
      return request.path.hasPrefix(WebFiles.versions) ? Self.missing : nil
    }
    let response = answer(file, to: request)
    return request.path == WebEmbedding.element ? sharing(response, for: request) : response
  }

  /// Returns the meeting page for a frame in a page of another origin.
  private func embeddedPage(of files: WebFiles, for request: RESTRequest) -> RESTResponse {
    guard let embedding, let file = files["/"] else {
      return Self.text(
        .notFound,
        """
        No page may show this server's meetings in a frame; the operator can allow it with \
        --web-embed-origins.
        """)
    }
    guard let ancestors = embedding.ancestors(for: request.query) else {
      return Self.text(
        .forbidden,
        """
        Pages of this origin may not show this server's meetings; the operator can add it to \
        --web-embed-origins.
        """)
    }
    return answer(file, to: request, framedBy: ancestors)
  }

  /// Adds a CORS header to a response if pages of the request's origin may embed meetings. A
  /// browser loads a module of another origin only with this header.
  private func sharing(_ response: RESTResponse, for request: RESTRequest) -> RESTResponse {
    guard let origin = request.header("Origin"), embedding?.names(origin) == true else {
      return response
    }
    var response = response
    response.headers.append(.init(name: "Access-Control-Allow-Origin", value: origin))
    response.headers.append(.init(name: "Vary", value: "Origin"))
    return response
  }

  private func answer(
    _ file: WebFiles.File, to request: RESTRequest, framedBy ancestors: [String] = []
  ) -> RESTResponse {
    let codings = AcceptedCodings(request.header("Accept-Encoding"))
    guard let representation = file.representation(for: codings) else {
      return Self.text(.notAcceptable, "The file is sent as it is, or in gzip.")
    }
    let headers = Self.headers(of: file, framedBy: ancestors)
    return answer(representation, of: file, with: headers, to: request)
  }

  private func answer(
    _ sent: WebFiles.Representation, of file: WebFiles.File, with headers: [RESTRequest.Header],
    to request: RESTRequest
  ) -> RESTResponse {
    let known = request.header("If-None-Match").map(EntityTags.init)
    let isKnown = known?.match(sent.tag) ?? false
    var response = RESTResponse(isKnown ? .notModified : .ok)
    response.headers = headers + [.init(name: "ETag", value: sent.tag)]
    guard !isKnown else { return response }
    response.headers.append(.init(name: "Content-Type", value: file.type))
    if sent == file.gzipped {
      response.headers.append(.init(name: "Content-Encoding", value: "gzip"))
    }
    response.body = sent.bytes
    return response
  }

  private static func headers(
    of file: WebFiles.File, framedBy ancestors: [String]
  ) -> [RESTRequest.Header] {
    let forGood = "public, max-age=31536000, immutable"
    return [
      .init(name: "Cache-Control", value: file.isImmutable ? forGood : "no-cache"),
      .init(name: "Vary", value: "Accept-Encoding"),
      .init(name: "X-Content-Type-Options", value: "nosniff"),
    ] + (file.isDocument ? policies(framedBy: ancestors) : [])
  }

  /// Returns the policy headers of a document.
  ///
  /// Scripts use the policy of their document. If the responses with scripts also carried these
  /// headers, each of these responses would be a third larger.
  private static func policies(framedBy ancestors: [String]) -> [RESTRequest.Header] {
    [
      .init(name: "Content-Security-Policy", value: policy(framedBy: ancestors)),
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
    text(.notFound, "This version of the page has no such file; load the page again.")
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
