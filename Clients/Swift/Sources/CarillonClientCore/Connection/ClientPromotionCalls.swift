internal import MeetingModel
internal import Wire

/// The promotion of one session: the calls to the server and their answers.
///
/// Only one promotion call is in flight at a time. If a call gets no answer, the outcome of the
/// call is unknown, so the client demotes the session. The client retries a demotion until the
/// server answers. A lost connection ends a promotion without a call. All calls run on the socket
/// thread.
final class ClientPromotionCalls: SessionComponent {
  /// Called with the attendee whose identity the session now uses in the primary meeting; `nil` if
  /// the session is not promoted.
  var onChange: ((PrimaryMeetingAttendee?) -> Void)?

  /// Called when the camera of the promoted attendee becomes available or unavailable.
  var onCamera: ((V1.CameraAvailabilityChanged) -> Void)?

  /// The attendee whose identity the session uses in the primary meeting.
  private(set) var promoted: PrimaryMeetingAttendee?

  private let delegate: any SessionConnectionDelegate
  private var link: GatewayConnection?
  private var primaryMeetingId = ""

  /// The number of the promotion that has no answer yet.
  private var asked: Int?

  /// Whether the client must still request the end of a promotion.
  private var owesDemotion = false

  init(telling delegate: any SessionConnectionDelegate) { self.delegate = delegate }

  // MARK: The connection

  func begin(_ started: V1.SessionStarted, on link: GatewayConnection) {
    self.link = link
    primaryMeetingId = started.primaryMeetingID
  }

  func keepAliveWasAnswered() { tellDemotion() }

  func connectionWasLost() {
    link = nil
    (asked, owesDemotion) = (nil, false)
    act(as: nil)
  }

  func close() {
    (onChange, onCamera) = (nil, nil)
    connectionWasLost()
  }

  // MARK: Requests

  func promote(as credentials: MeetingSessionCredentials, _ number: Int) {
    guard let link else {
      return delegate.promotionWasAnswered(
        number, .failure(PromotionRefusal(.audioServiceUnavailable)))
    }
    // This code drops a pending demotion, because this promotion keeps or replaces the promotion
    // that the demotion would end.
    (asked, owesDemotion) = (number, false)
    link.promote(as: credentials) { [weak self, weak link] result in
      guard let self, let link, link === self.link, asked == number else { return }
      asked = nil
      switch result {
      case .success(let reply): take(reply, number, credentials)
      case .failure(let status): refuse(number, because: status)
      }
    }
  }

  func demote() {
    guard asked != nil || promoted != nil else { return }
    leave()
  }

  private func leave() {
    asked = nil
    owesDemotion = true
    act(as: nil)
    tellDemotion()
  }

  private func tellDemotion() {
    guard owesDemotion, let link else { return }
    owesDemotion = false
    link.demote { [weak self, weak link] isTaken in
      guard let self, let link, link === self.link, !isTaken else { return }
      // The retry must not end a promotion that the application requested after the failed call.
      owesDemotion = asked == nil && promoted == nil
    }
  }

  // MARK: Answers

  private func take(
    _ reply: V1.PromoteToPrimaryMeetingReply, _ number: Int,
    _ credentials: MeetingSessionCredentials
  ) {
    let attendee = PrimaryMeetingAttendee(
      meetingId: primaryMeetingId,
      credentials: MeetingSessionCredentials(
        attendeeId: reply.attendee?.attendeeID ?? credentials.attendeeId,
        externalUserId: reply.attendee?.externalUserID ?? credentials.externalUserId,
        joinToken: credentials.joinToken))
    act(as: attendee)
    delegate.promotionWasAnswered(number, .success(attendee))
    if let camera = reply.camera { onCamera?(camera) }
  }

  /// Reports a failed promotion.
  ///
  /// If the answer has a session status, the gateway refused the call. In that case, an older
  /// promotion continues, or an event ends that older promotion. After any other failure, the
  /// outcome of the call is unknown.
  private func refuse(_ number: Int, because status: Status) {
    // `unauthenticated`: the gateway has forgotten the session, and will close the connection.
    let isAnswered = status.code != .unauthenticated
    let code = (isAnswered ? status.sessionStatus : nil).flatMap {
      MeetingSessionStatusCode(rawValue: $0.rawValue)
    }
    delegate.promotionWasAnswered(number, .failure(PromotionRefusal(code)))
    guard code == nil else { return }
    if let attendeeId = promoted?.attendeeId {
      delegate.promotionDidEnd(as: attendeeId, status: .audioInternalServerError)
    }
    leave()
  }

  /// Handles the event that the server has ended the promotion.
  func take(_ ended: V1.DemotedFromPrimaryMeeting) {
    guard let attendeeId = ended.attendee?.attendeeID, attendeeId == promoted?.attendeeId
    else { return }
    let isRejected = ended.status?.sessionStatus == .audioAuthenticationRejected
    delegate.promotionDidEnd(
      as: attendeeId, status: isRejected ? .audioAuthenticationRejected : .audioInternalServerError)
    act(as: nil)
  }

  private func act(as attendee: PrimaryMeetingAttendee?) {
    guard attendee != nil || promoted != nil else { return }
    promoted = attendee
    onChange?(attendee)
  }
}
