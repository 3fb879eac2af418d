internal import Bus
internal import MeetingModel
internal import Wire

/// The calls about promotion.
extension GatewayConnection {
  func promote(
    as credentials: MeetingSessionCredentials,
    then: @escaping (Result<V1.PromoteToPrimaryMeetingReply, Status>) -> Void
  ) {
    let request = V1.PromoteToPrimaryMeetingRequest(
      attendeeID: credentials.attendeeId, externalUserID: credentials.externalUserId,
      joinToken: credentials.joinToken)
    var options = options
    options.timeout = Self.promotionTime
    gateway.promoteToPrimaryMeeting(request, options: options, then: then)
  }

  /// Ends the promotion. `then` receives whether the gateway accepted the call.
  func demote(then: @escaping (Bool) -> Void) {
    gateway.demoteFromPrimaryMeeting(V1.DemoteFromPrimaryMeetingRequest(), options: options) {
      then((try? $0.get()) != nil)
    }
  }

  /// The timeout for the services to agree on a promotion.
  private static let promotionTime = Duration.seconds(15)
}
