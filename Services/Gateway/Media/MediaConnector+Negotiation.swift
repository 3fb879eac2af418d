import Bus
import MeetingModel
import Wire

extension MediaConnector {
  /// Sends a browser's offer to media, and returns the answer and the instance that gave it.
  ///
  /// Only media reads SDP.
  ///
  /// The call is retried while media restarts, and while media has not admitted the session.
  ///
  /// - Parameter request: The offer, what the browser receives, and what it sends.
  /// - Throws: `invalidArgument` if it is not an offer; `unavailable` when media does not answer.
  func negotiate(
    _ request: V1.NegotiateRequest, of session: Session
  ) async throws(Status) -> (reply: V1.NegotiateReply, place: MediaPlace) {
    try await context.callRetry.run(on: context.thread) { () async throws(Status) in
      guard context.sessions[session.number] != nil else { throw .cancelledHere }
      guard session.media.isAdmitted else { throw Self.away }
      let owner = try follower.reachableOwner(of: session.sourceMeeting)
      var request = request
      (request.meetingID, request.sessionID) = (session.sourceMeeting.text, session.id.bytes)
      let options = CallOptions(timeout: .seconds(2), term: owner.term)
      do throws(Status) {
        let reply = try await owner.client.negotiate(request, options: options)
        return (reply, MediaPlace(instance: owner.instance, term: options.term))
      } catch {
        // A new term does not know the session yet.
        guard error.code == .failedPrecondition else { throw error }
        throw Self.away
      }
    }
  }

  /// Returns the state of the media instance that answered a session's offer.
  ///
  /// It is `gone` if it has restarted or if another instance owns the meeting: no other one knows
  /// the answer.
  func contact(with place: MediaPlace, of session: Session) -> MediaContact {
    guard let owner = follower.owner(of: session.sourceMeeting) else { return .away }
    guard MediaPlace(instance: owner.instance, term: owner.term) == place else { return .gone }
    return owner.isConnected ? .reachable : .away
  }
}

/// The state of a client's media instance, as its gateway sees it.
enum MediaContact: Hashable, Sendable {
  case reachable
  /// The connection is lost.
  ///
  /// It may return in a moment, or never.
  case away
  case gone
}

/// One run of a media instance.
struct MediaPlace: Hashable, Sendable {
  let instance: String
  let term: UInt64
}
