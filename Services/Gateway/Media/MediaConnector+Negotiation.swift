import Bus
import MeetingModel
import Wire

extension MediaConnector {
  /// Media's answer to the offer of a browser, and where it was given. Only media reads SDP.
  ///
  /// Media is asked again while it restarts, and while it has not let the session in yet.
  ///
  /// - Parameter request: The offer, what the browser gets, and what it sends.
  /// - Throws: `invalidArgument` for what is no offer; `unavailable` when media does not answer.
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

  /// How the media is that answered a session's offer. It is gone when it has begun anew, or has
  /// given the meeting to another instance: nobody else knows of the answer.
  func contact(with place: MediaPlace, of session: Session) -> MediaContact {
    guard let owner = follower.owner(of: session.sourceMeeting) else { return .away }
    guard MediaPlace(instance: owner.instance, term: owner.term) == place else { return .gone }
    return owner.isConnected ? .reachable : .away
  }
}

/// How the media that knows a client is seen from its gateway.
enum MediaContact: Hashable, Sendable {
  case reachable
  /// The connection to it is lost. It may stand again in a moment, or never.
  case away
  case gone
}

/// One life of an instance of media.
struct MediaPlace: Hashable, Sendable {
  let instance: String
  let term: UInt64
}
