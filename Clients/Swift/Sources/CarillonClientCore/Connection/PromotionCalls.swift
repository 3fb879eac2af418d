internal import MeetingModel
internal import Wire

/// The promotion of one session, as the server has it: what it is asked, and what it says.
///
/// One promotion is asked for at a time. What became of a call that nobody answered is unknown, so
/// that the session is demoted then; a demotion is repeated until it was answered. A lost
/// connection ends a promotion, and needs no call. Lives on the socket thread.
final class PromotionCalls: SessionComponent {
  /// The session acts as this attendee of the primary from now on, or as nobody.
  var onChange: ((PromotedAttendee?) -> Void)?

  /// There is room for the camera of the promoted attendee, or there is none.
  var onCamera: ((V1.CameraAvailabilityChanged) -> Void)?

  /// As whom the session acts in the primary.
  private(set) var promoted: PromotedAttendee?

  private let delegate: any SessionConnectionDelegate
  private var link: GatewayLink?
  private var primaryMeetingId = ""

  /// The promotion whose answer is waited for.
  private var asked: Int?

  /// The server is to end what it may have of a promotion.
  private var owesDemotion = false

  init(telling delegate: any SessionConnectionDelegate) { self.delegate = delegate }

  // MARK: The connection

  func begin(_ started: V1.SessionStarted, on link: GatewayLink) {
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

  // MARK: What is asked

  func promote(as credentials: MeetingSessionCredentials, _ number: Int) {
    guard let link else {
      return delegate.promotionWasAnswered(
        number, .failure(PromotionRefusal(.audioServiceUnavailable)))
    }
    // What was to be ended is to last now, or to be replaced.
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
      // A promotion that was asked for since is not to be ended.
      owesDemotion = asked == nil && promoted == nil
    }
  }

  // MARK: What is answered

  private func take(
    _ reply: V1.PromoteToPrimaryMeetingReply, _ number: Int,
    _ credentials: MeetingSessionCredentials
  ) {
    let attendee = PromotedAttendee(
      meetingId: primaryMeetingId,
      credentials: MeetingSessionCredentials(
        attendeeId: reply.attendee?.attendeeID ?? credentials.attendeeId,
        externalUserId: reply.attendee?.externalUserID ?? credentials.externalUserId,
        joinToken: credentials.joinToken))
    act(as: attendee)
    delegate.promotionWasAnswered(number, .success(attendee))
    if let camera = reply.camera { onCamera?(camera) }
  }

  /// A refusal carries a session status; an older promotion goes on, or ends by an event. Any other
  /// failure leaves open what became of the call.
  private func refuse(_ number: Int, because status: Status) {
    // The gateway has forgotten the session; its connection is about to be given up.
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

  /// The server has ended a promotion.
  func take(_ ended: V1.DemotedFromPrimaryMeeting) {
    guard let attendeeId = ended.attendee?.attendeeID, attendeeId == promoted?.attendeeId
    else { return }
    let isRejected = ended.status?.sessionStatus == .audioAuthenticationRejected
    delegate.promotionDidEnd(
      as: attendeeId, status: isRejected ? .audioAuthenticationRejected : .audioInternalServerError)
    act(as: nil)
  }

  private func act(as attendee: PromotedAttendee?) {
    guard attendee != nil || promoted != nil else { return }
    promoted = attendee
    onChange?(attendee)
  }
}
