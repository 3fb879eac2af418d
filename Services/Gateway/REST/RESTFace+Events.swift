import MeetingModel
import Storage

// What clients tell of their sessions: the operation proves by a join token who asks, not by a
// signature.
extension RESTFace {
  /// `POST /v1/client-events`, the `EventIngestionUrl` of a meeting.
  ///
  /// - Throws: `MissingAuthenticationTokenException` without `Authorization: Bearer <join token>`,
  ///   `RequestEntityTooLargeException`, `BadRequestException`, and what
  ///   ``ClientEventIntake/take(_:provenBy:)`` throws.
  func putClientEvents(_ request: RESTRequest) async throws(RESTError) -> RESTResponse {
    // Whoever has no token has nothing read.
    let token = try Self.bearerToken(of: request)
    guard request.body.count <= ClientEventBatch.maxBody else {
      throw RESTError(
        .requestEntityTooLarge, "Events may have at most \(ClientEventBatch.maxBody) bytes.")
    }
    let batch = try ClientEventBatch(JSONMembers(try Self.object(in: request)))
    try await events.take(batch, provenBy: token)
    return RESTResponse(.ok, .object([:]))
  }

  /// RFC 6750, section 2.1.
  private static func bearerToken(of request: RESTRequest) throws(RESTError) -> JoinToken {
    let parts = (request.header("Authorization") ?? "").split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "bearer" else {
      throw RESTError(
        .missingAuthenticationToken, "Send the join token as Authorization: Bearer TOKEN.")
    }
    return JoinToken(String(parts[1]))
  }
}
