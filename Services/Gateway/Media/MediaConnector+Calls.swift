import Bus
import MeetingModel
import Wire

// Changes that clients and operators make in media.
extension MediaConnector {
  /// Notifies media of a change, decided elsewhere, in what a participant may send.
  ///
  /// When this returns, media forwards nothing against the change. Media that works has applied it.
  /// Media that does not answer within 200 ms is stalled: it receives the change repeatedly until
  /// it answers. When it resumes, it forwards nothing before that, because this gateway does not
  /// echo its fence. Media that has died forwards nothing, and its next term receives the change
  /// with the admission of each session. So no caller waits for either.
  func tell(
    _ change: V1.SetSendRightsRequest.Change, of participant: ParticipantID, in meeting: MeetingID
  ) async {
    guard let owner = follower.owner(of: meeting) else { return }
    let (isConnected, term) = (owner.isConnected, owner.term)
    let told = untold.add(change, of: participant, in: meeting)
    let request = V1.SetSendRightsRequest(
      meetingID: meeting.text, participantID: participant.text, change: change)
    await withCheckedContinuation { continuation in
      let once = Once { continuation.resume() }
      if isConnected { context.after(Self.timeout) { once.run() } } else { once.run() }
      follower.notices.add(
        .attendee(participant.attendee, in: meeting), timeout: Self.longestStandstill,
        while: { [weak self, weak owner] in
          // Media that is stalled for seconds is not connected either, but keeps its term.
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

  /// Has media forward a promoted session as the attendee of the primary.
  ///
  /// - Parameter then: Receives `nil` if media forwards it, or will from its admission on; else the
  ///   reason.
  func promote(_ session: Session, then: @escaping (Status?) -> Void) {
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

  /// Ends a promotion in media.
  ///
  /// The notice is repeated until media answers, unless the session is promoted again.
  func demote(_ session: Session, then: @escaping () -> Void = {}) {
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

  /// Longer than a restart of media, and shorter than a client's patience.
  private static let longestPromotion = Duration.seconds(4)

  /// Longer than media that works takes to answer.
  static let timeout = Duration.milliseconds(200)

  /// Media that is stalled for longer may resume without the change.
  private static let longestStandstill = Duration.seconds(3_600)

  /// Switches noise suppression of a client's uplink.
  func setVoiceFocus(
    _ request: V1.SetVoiceFocusRequest, of session: Session
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
final class Once {
  private var body: (() -> Void)?

  init(_ body: @escaping () -> Void) { self.body = body }

  func run() {
    body?()
    body = nil
  }
}
