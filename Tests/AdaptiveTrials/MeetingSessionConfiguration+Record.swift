public import CarillonClient
public import Wire

extension MeetingSessionConfiguration {
  /// Creates the configuration of a session for an attendee whom an operator has created.
  ///
  /// - Parameter gatewayURL: The URL of the gateway; `nil` to connect to the host of the signalling
  ///   URL.
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

  /// Returns a rewriter that replaces the addresses that gateways announce, so that a client behind
  /// a relay of the test always connects through the relay.
  private static func rewriter(to gatewayURL: String?) -> URLRewriter {
    guard let gatewayURL, gatewayURL.hasPrefix("ipc://"), !gatewayURL.hasSuffix(".client.sock")
    else { return URLRewriterUtils.defaultUrlRewriter }
    return { $0.hasPrefix("tcp://") ? gatewayURL : $0 }
  }
}
