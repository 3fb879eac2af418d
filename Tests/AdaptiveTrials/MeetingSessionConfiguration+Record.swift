public import CarillonClient
public import Wire

extension MeetingSessionConfiguration {
  /// The session of an attendee that an operator has made.
  ///
  /// - Parameter gatewayURL: Where it connects; `nil` leaves it to the signalling URL's host.
  public convenience init(
    _ attendee: V1.AttendeeRecord, through gatewayURL: String?, signalingURL: String
  ) {
    self.init(
      meetingId: attendee.meetingID,
      credentials: MeetingSessionCredentials(
        attendeeId: attendee.attendeeID, externalUserId: attendee.externalUserID,
        joinToken: attendee.joinToken),
      urls: MeetingSessionURLs(
        audioFallbackUrl: "ws://localhost/calls", audioHostUrl: "localhost:7401",
        turnControlUrl: "", signalingUrl: signalingURL,
        urlRewriter: URLRewriterUtils.defaultUrlRewriter, ingestionUrl: nil,
        gatewayUrl: gatewayURL),
      urlRewriter: Self.rewriter(to: gatewayURL))
  }

  /// Who comes through a wire of the test goes through it always, whatever gateways say of where
  /// they are.
  private static func rewriter(to gatewayURL: String?) -> URLRewriter {
    guard let gatewayURL, gatewayURL.hasPrefix("ipc://"), !gatewayURL.hasSuffix(".client.sock")
    else { return URLRewriterUtils.defaultUrlRewriter }
    return { $0.hasPrefix("tcp://") ? gatewayURL : $0 }
  }
}
