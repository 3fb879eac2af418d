/// A client for plain HTTP/1.1 over TCP or a Unix socket, with one connection per request.
///
/// Carillon does not use URLSession here, because the services' health endpoints are Unix sockets,
/// to which URLSession cannot connect.
package struct HTTPClient: Hashable, Sendable {
  package let address: HTTPAddress

  package init(_ address: HTTPAddress) { self.address = address }

  /// Sends a request and reads the whole response.
  ///
  /// - Throws: ``HTTPError``, for example if the response is not complete within the time limit.
  package func send(
    _ request: HTTPRequest, within limit: Duration
  ) async throws(HTTPError) -> HTTPResponse {
    let deadline = ContinuousClock.now + limit
    return try await BlockingWork.run { [address] in
      Self.exchange(request, address, deadline)
    }.get()
  }

  private static func exchange(
    _ request: HTTPRequest, _ address: HTTPAddress, _ deadline: ContinuousClock.Instant
  ) -> Result<HTTPResponse, HTTPError> {
    Result { () throws(HTTPError) in
      let socket = try DeadlineStreamSocket(connectingTo: address, deadline: deadline)
      try socket.send(request.bytes(host: address.host), deadline: deadline)
      var received: [UInt8] = []
      while true {
        if let response = try HTTPResponse(received, isComplete: false) { return response }
        guard received.count < HTTPResponse.largest else { throw .malformed("it is too long") }
        guard let more = try socket.receive(deadline: deadline) else { break }
        received += more
      }
      guard let response = try HTTPResponse(received, isComplete: true) else {
        throw HTTPError.malformed("it ended early")
      }
      return response
    }
  }
}
