import Bus
import MeetingModel
import Wire

extension MediaPart {
  /// Media's answer to the offer of a browser; neither is read here.
  ///
  /// Media is asked again while it restarts, and while it has not let the session in yet.
  ///
  /// - Throws: `invalidArgument` for what is no offer; `unavailable` when media does not answer.
  func negotiate(_ offer: String, of session: Session) async throws(Status) -> String {
    try await context.callRetry.run(on: context.thread) { () async throws(Status) in
      guard context.sessions[session.number] != nil else { throw .cancelledHere }
      guard session.media.isAdmitted else { throw Self.away }
      let owner = try follower.reachableOwner(of: session.sourceMeeting)
      let request = V1.NegotiateRequest(
        meetingID: session.sourceMeeting.text, sessionID: session.id.bytes, offer: offer)
      let options = CallOptions(timeout: .seconds(2), term: owner.term)
      do throws(Status) {
        return try await owner.client.negotiate(request, options: options).answer
      } catch {
        // A new term does not know the session yet.
        guard error.code == .failedPrecondition else { throw error }
        throw Self.away
      }
    }
  }
}
