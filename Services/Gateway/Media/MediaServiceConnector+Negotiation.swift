import Bus
import MeetingModel
import Wire

extension MediaServiceConnector {
  /// Sends a browser's offer to `media`. Returns the answer, and the instance that created the
  /// answer.
  ///
  /// Only `media` parses SDP.
  ///
  /// The gateway repeats the call while `media` restarts, and until `media` has admitted the
  /// session.
  ///
  /// - Parameter request: The offer, and what the browser receives and sends.
  /// - Throws: `invalidArgument` if the SDP is not an offer; `unavailable` if `media` does not
  ///   answer.
  func negotiate(
    _ request: V1.NegotiateRequest, of session: GatewayClientSession
  ) async throws(Status) -> (reply: V1.NegotiateReply, place: MediaInstanceRun) {
    try await context.callRetry.run(on: context.thread) { () async throws(Status) in
      guard context.sessions[session.number] != nil else { throw .cancelledHere }
      guard session.media.isAdmitted else { throw Self.away }
      let owner = try follower.reachableOwner(of: session.sourceMeeting)
      var request = request
      (request.meetingID, request.sessionID) = (session.sourceMeeting.text, session.id.bytes)
      let options = CallOptions(timeout: .seconds(2), term: owner.term)
      do throws(Status) {
        let reply = try await owner.client.negotiate(request, options: options)
        return (reply, MediaInstanceRun(instance: owner.instance, term: options.term))
      } catch {
        // `failedPrecondition` means that the owner is in a new term, and has not admitted the
        // session yet.
        guard error.code == .failedPrecondition else { throw error }
        throw Self.away
      }
    }
  }

  /// Returns the state of the instance of `media` that answered a session's offer.
  ///
  /// The state is `gone` if this instance has restarted, or if another instance owns the meeting.
  /// Only the instance that answered the offer can continue the negotiation.
  func contact(with place: MediaInstanceRun, of session: GatewayClientSession) -> MediaReachability
  {
    guard let owner = follower.owner(of: session.sourceMeeting) else { return .away }
    guard MediaInstanceRun(instance: owner.instance, term: owner.term) == place else {
      return .gone
    }
    return owner.isConnected ? .reachable : .away
  }
}

/// The state of the instance of `media` that serves a client, from the gateway's point of view.
enum MediaReachability: Hashable, Sendable {
  case reachable
  /// The gateway has lost the connection to the instance, but may still restore this connection.
  case away
  case gone
}

/// One run of an instance of `media`.
struct MediaInstanceRun: Hashable, Sendable {
  let instance: String
  let term: UInt64
}
