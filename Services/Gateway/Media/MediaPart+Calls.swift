import Bus
import MeetingModel
import Wire

// What clients and operators change in media.
extension MediaPart {
  /// Tells media what a participant may send, which others have decided.
  ///
  /// From when this returns media forwards nothing against it. Media that works has taken it.
  /// Media that does not answer within 200 ms stands still: it is told until it has heard, and when
  /// it goes on it forwards nothing before that, because this gateway does not echo its fence.
  /// Media that has died carries nothing, and is told with the admission of each session to its
  /// next term. So nobody waits for either.
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
          // Media that stands still for seconds is not connected either, but keeps its term.
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

  /// Longer than media that does its work takes to answer.
  private static let timeout = Duration.milliseconds(200)

  /// Media that stands still for longer may go on without having heard.
  private static let longestStandstill = Duration.seconds(3_600)

  /// A client switches noise suppression of its uplink.
  func setVoiceFocus(
    _ request: V1.SetVoiceFocusRequest, of session: Session
  ) async throws(Status) -> V1.SetVoiceFocusReply {
    guard session.media.isAdmitted, let owner = follower.owner(of: session.boardMeeting) else {
      throw Self.notAdmitted
    }
    session.media.isVoiceFocusEnabled = request.isEnabled
    let change = V1.SetVoiceFocusRequest(
      meetingID: session.boardMeeting.text, sessionID: session.id.bytes,
      isEnabled: request.isEnabled)
    return try await owner.client.setVoiceFocus(
      change, options: CallOptions(timeout: .seconds(2)))
  }

  private static let notAdmitted = Status(
    .failedPrecondition, "Media has not admitted the session yet; wait for media_moved.")
}

/// Something that is done at most once.
private final class Once {
  private var body: (() -> Void)?

  init(_ body: @escaping () -> Void) { self.body = body }

  func run() {
    body?()
    body = nil
  }
}
