import MeetingModel
import Storage

// Carries out the operation for client events. A request for this operation has a join token and no
// signature.
extension RESTHandler {
  /// Stores the events of `POST /v1/client-events`, the `EventIngestionUrl` of a meeting.
  ///
  /// With `?beacon=1`, the token may be in the body instead of a header, because a closing page can
  /// send only a body.
  ///
  /// - Throws: `MissingAuthenticationTokenException` without `Authorization: Bearer <join token>`,
  ///   `RequestEntityTooLargeException`, `BadRequestException`, and the errors of
  ///   ``ClientEventIntake/take(_:provenBy:)``.
  func putClientEvents(_ request: RESTRequest) async throws(RESTError) -> [String: JSONValue] {
    let isBeacon = try QueryParameters(request.query).single("beacon") == "1"
    let header = request.header("Authorization")
    // Without a token in a header, the gateway parses the body only if the body may contain the
    // token.
    let named = isBeacon && header == nil ? nil : try Self.bearerToken(in: header)
    guard request.body.count <= ClientEventBatch.maxBody else {
      throw RESTError(
        .requestEntityTooLarge,
        """
        The body may have at most \(ClientEventBatch.maxBody) bytes; send fewer events in a \
        request.
        """)
    }
    let body = JSONMembers(try Self.object(in: request, allowsText: true))
    let token = if let named { named } else { try Self.token(inBeacon: body) }
    try await events.take(ClientEventBatch(body), provenBy: token)
    return [:]
  }

  /// Returns the token of a bearer header (RFC 6750, section 2.1).
  static func bearerToken(in header: String?) throws(RESTError) -> JoinToken {
    let parts = (header ?? "").split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "bearer" else {
      throw RESTError(
        .missingAuthenticationToken, "Send the join token as Authorization: Bearer TOKEN.")
    }
    return JoinToken(String(parts[1]))
  }

  /// Returns the token in the body of a beacon, with or without the prefix `Bearer`.
  private static func token(inBeacon body: JSONMembers) throws(RESTError) -> JoinToken {
    let parts = try (body.string("authorization") ?? "").split(separator: " ")
    guard let token = parts.last, parts.count == 1 || parts.first?.lowercased() == "bearer",
      parts.count <= 2
    else {
      throw RESTError(
        .missingAuthenticationToken,
        "Send the join token as Authorization: Bearer TOKEN, or as authorization in the body.")
    }
    return JoinToken(String(token))
  }
}
