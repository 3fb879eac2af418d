import Bus
import MeetingModel
import Wire

// Sends `media` the changes that clients and operators request.
extension MediaServiceConnector {
  /// Notifies `media` that another service has changed what a participant may send.
  ///
  /// When this method returns, `media` forwards nothing that violates the change. There are three
  /// cases:
  /// - `media` answers, so it has applied the change.
  /// - `media` stalls: it has not answered within 200 ms. The gateway repeats the change until
  ///   `media` answers. After the stall, `media` raises its fence, and forwards nothing until this
  ///   gateway returns the number of the fence. The gateway returns the number only after `media`
  ///   has answered.
  /// - `media` has died, and so forwards nothing. After the restart of `media`, the gateway admits
  ///   each session again, and the admission contains the change.
  ///
  /// So the caller waits neither for a stalled nor for a dead `media`.
  func tell(
    _ change: V1.SetSendRightsRequest.Change, of participant: ParticipantID, in meeting: MeetingID
  ) async {
    guard let owner = follower.owner(of: meeting) else { return }
    let (isConnected, term) = (owner.isConnected, owner.term)
    let told = untold.add(change, of: participant, in: meeting)
    let request = V1.SetSendRightsRequest(
      meetingID: meeting.text, participantID: participant.text, change: change)
    await withCheckedContinuation { continuation in
      let once = OneTimeClosure { continuation.resume() }
      if isConnected { context.after(Self.timeout) { once.run() } } else { once.run() }
      follower.notices.add(
        .attendee(participant.attendee, in: meeting), timeout: Self.longestStandstill,
        while: { [weak self, weak owner] in
          // If `media` stalls for seconds, the gateway loses the connection, but the term of
          // `media` does not change. So the gateway continues to repeat its notice to `media`.
          guard let self, isConnected || owner?.term == term else { return false }
          return untold.isNewest(told)
        },
        then: { [weak self] _ in
          self?.untold.remove(told)
          once.run()
        }
      ) { client, options, then in
        client.setSendRights(request, options: options) { then($0.failure) }
      }
    }
  }

  /// Asks `media` to forward the sound and video of a promoted session as the sound and video of
  /// the primary's attendee.
  ///
  /// - Parameter then: Receives `nil` if `media` has agreed; otherwise the reason for the refusal.
  ///   Also receives `nil` if the session is not promoted.
  func promote(_ session: GatewayClientSession, then: @escaping (Status?) -> Void) {
    guard let record = session.promotion.record else { return then(nil) }
    let request = V1.PromoteRequest(
      sessionID: session.id.bytes, replicaMeetingID: session.meeting.text, primary: record,
      gateway: context.settings.instance, gatewayRun: context.run)
    follower.notices.add(
      .session(session.id, in: session.sourceMeeting), timeout: Self.longestPromotion,
      while: { session.promotion.record != nil }, then: then
    ) { client, options, then in
      client.promote(request, options: options) { then($0.failure) }
    }
  }

  /// Ends a promotion in `media`.
  ///
  /// The gateway repeats the notice until `media` answers, unless the session is promoted again.
  func demote(_ session: GatewayClientSession, then: @escaping () -> Void = {}) {
    let (id, meeting) = (session.id, session.sourceMeeting)
    let request = V1.DemoteRequest(
      primaryMeetingID: meeting.text, sessionID: id.bytes, gateway: context.settings.instance)
    follower.notices.add(
      .session(id, in: meeting), timeout: Self.longestStandstill,
      while: { [unowned context] in context.sessions.isUnpromoted(id) }, then: { _ in then() }
    ) { client, options, then in
      client.demote(request, options: options) { then($0.failure) }
    }
  }

  /// The timeout of a promotion: longer than a restart of `media`, and shorter than a client's
  /// timeout.
  private static let longestPromotion = Duration.seconds(4)

  /// How long the caller waits for the answer of `media`. If `media` has not stalled, it answers
  /// sooner.
  static let timeout = Duration.milliseconds(200)

  /// How long the gateway repeats a change. If `media` stalls for longer, `media` may later forward
  /// packets that violate the change.
  private static let longestStandstill = Duration.seconds(3_600)

  /// Turns noise suppression of a client's uplink on or off.
  func setVoiceFocus(
    _ request: V1.SetVoiceFocusRequest, of session: GatewayClientSession
  ) async throws(Status) -> V1.SetVoiceFocusReply {
    guard session.media.isAdmitted, let owner = follower.owner(of: session.sourceMeeting) else {
      throw Self.notAdmitted
    }
    session.media.isVoiceFocusEnabled = request.isEnabled
    let change = V1.SetVoiceFocusRequest(
      meetingID: session.sourceMeeting.text, sessionID: session.id.bytes,
      isEnabled: request.isEnabled)
    return try await owner.client.setVoiceFocus(
      change, options: CallOptions(timeout: .seconds(2)))
  }

  private static let notAdmitted = Status(
    .failedPrecondition, "Media has not admitted the session yet; wait for media_moved.")
}

/// A closure that runs at most once.
final class OneTimeClosure {
  private var body: (() -> Void)?

  init(_ body: @escaping () -> Void) { self.body = body }

  func run() {
    body?()
    body = nil
  }
}
