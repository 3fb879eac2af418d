import HTTPTypes
import HummingbirdCore
import NIOCore
import ServiceHost

/// One request on a connection, and the answer to this request.
struct RESTExchange {
  let settings: RESTSettings
  let face: RESTHandler
  let channel: any Channel

  /// Signals that the exchange on this connection is complete. The server then closes the
  /// connection.
  struct Finished: Error {}

  /// Reads the rest of the request unless the request is too large, and answers the request.
  ///
  /// - Throws: ``Finished`` to close the connection; errors of the connection and of the HTTP
  ///   parser.
  @concurrent func answer(_ request: Request, _ writer: consuming ResponseWriter) async throws {
    var rest = request.body.makeAsyncIterator()
    guard !isOversized(request.headers) else { return try await refuse(request, &rest, writer) }
    if request.headers[.expect]?.lowercased() == "100-continue" {
      try await writer.writeInformationalHead(HTTPResponse(status: .continue))
    }
    guard let body = try await read(&rest) else { return try await refuse(request, &rest, writer) }
    let address = channel.remoteAddress?.ipAddress ?? ""
    let response = await face.respond(
      to: RESTRequest(request, body: body, from: address))
    let wish = request.headers[.connection] ?? ""
    let closes = wish.lowercased() == "close"
    try await write(response, to: request, closing: closes, writer)
    // The server itself closes the connection only if the `Connection` header is exactly `close`.
    if closes, wish != "close" { try await channel.close(mode: .output).get() }
  }

  private func isOversized(_ headers: HTTPFields) -> Bool {
    guard let length = headers[.contentLength] else { return false }
    return (Int(length) ?? .max) > settings.maxBody
  }

  /// Reads the body. Returns `nil` if the body is too large. Closes the connection if the client
  /// does not send the body in time.
  @concurrent private func read(_ rest: inout RequestBody.AsyncIterator) async throws -> [UInt8]? {
    let (channel, metrics) = (channel, face.metrics)
    let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(settings.timeout)) {
      metrics.unfinished.increment()
      channel.close(promise: nil)
    }
    defer { deadline.cancel() }
    var body: [UInt8] = []
    while let part = try await rest.next() {
      guard body.count + part.readableBytes <= settings.maxBody else { return nil }
      body += part.readableBytesView
    }
    return body
  }

  /// Answers a request that is too large, ends the output and closes the connection.
  ///
  /// An immediate close with unread bytes would reset the connection, and the client could lose the
  /// answer (RFC 9112, §9.6). So the server reads and discards input for up to 2 s.
  @concurrent private func refuse(
    _ request: Request, _ rest: inout RequestBody.AsyncIterator, _ writer: consuming ResponseWriter
  ) async throws {
    let response = face.refuseOversized(limit: settings.maxBody)
    try await write(response, to: request, closing: true, writer)
    try await channel.close(mode: .output).get()
    let channel = channel
    let deadline = channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
    defer { deadline.cancel() }
    while try await rest.next() != nil {}
    throw Finished()
  }

  @concurrent private func write(
    _ response: RESTResponse, to request: Request, closing: Bool,
    _ writer: consuming ResponseWriter
  ) async throws {
    var head = HTTPResponse(status: .init(code: response.status.rawValue))
    for header in response.headers {
      guard let name = HTTPField.Name(header.name) else { continue }
      head.headerFields.append(HTTPField(name: name, value: header.value))
    }
    // For a 304, the length would be the length of the file (RFC 9110, §8.6), so the answer has no
    // Content-Length header.
    if response.status != .noContent, response.status != .notModified {
      head.headerFields[.contentLength] = "\(response.body.count)"
    }
    head.headerFields[.date] = HTTPDateFormat.text(for: face.control.settings.now() / 1_000)
    if closing { head.headerFields[.connection] = "close" }
    let isEmpty = response.body.isEmpty || request.method == .head
    try await writer.write(
      response: head,
      body: isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: response.body)))
  }
}

extension RESTRequest {
  /// Converts an HTTP request.
  fileprivate init(_ request: Request, body: [UInt8], from address: String) {
    var headers = request.headers.map { Header(name: $0.name.rawName, value: $0.value) }
    if let host = request.head.authority { headers.append(Header(name: "Host", value: host)) }
    self.init(
      method: request.method.rawValue, target: request.head.path ?? "", headers: headers,
      body: body)
    self.address = address
  }
}
