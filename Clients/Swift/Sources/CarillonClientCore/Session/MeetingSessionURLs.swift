public import Foundation

/// The URLs of a meeting's services.
///
/// The initializers apply the rewriter once. Decoding does not rewrite the URLs.
public final class MeetingSessionURLs: NSObject, Codable, Sendable {
  /// The URL for media over a socket, for networks that block UDP.
  public let audioFallbackUrl: String

  /// The `host:port` of `media`, without a scheme.
  public let audioHostUrl: String

  /// The URL of the service that issues relay credentials.
  public let turnControlUrl: String

  /// The URL of the signaling service.
  ///
  /// Without `gatewayUrl`, the session requests the gateway's endpoint from the host of this URL.
  public let signalingUrl: String

  /// The URL that receives client events. If this URL is `nil` or empty, the session sends no
  /// events.
  public let ingestionUrl: String?

  /// The gateway's ZeroMQ endpoint, `ipc://…` or `tcp://…`. Carillon adds this property to the
  /// interface of the meetings SDK for iOS.
  public let gatewayUrl: String?

  /// Creates URLs without a server for client events and without a gateway.
  public convenience init(
    audioFallbackUrl: String, audioHostUrl: String, turnControlUrl: String, signalingUrl: String,
    urlRewriter: URLRewriter
  ) {
    self.init(
      audioFallbackUrl: audioFallbackUrl, audioHostUrl: audioHostUrl,
      turnControlUrl: turnControlUrl, signalingUrl: signalingUrl, urlRewriter: urlRewriter,
      ingestionUrl: nil)
  }

  /// Creates URLs without a gateway. The session requests the gateway's endpoint from the host of
  /// `signalingUrl`.
  public convenience init(
    audioFallbackUrl: String, audioHostUrl: String, turnControlUrl: String, signalingUrl: String,
    urlRewriter: URLRewriter, ingestionUrl: String?
  ) {
    self.init(
      audioFallbackUrl: audioFallbackUrl, audioHostUrl: audioHostUrl,
      turnControlUrl: turnControlUrl, signalingUrl: signalingUrl, urlRewriter: urlRewriter,
      ingestionUrl: ingestionUrl, gatewayUrl: nil)
  }

  /// Creates URLs with all fields. Carillon adds the gateway's endpoint to the interface of the
  /// meetings SDK for iOS.
  public init(
    audioFallbackUrl: String, audioHostUrl: String, turnControlUrl: String, signalingUrl: String,
    urlRewriter: URLRewriter, ingestionUrl: String?, gatewayUrl: String?
  ) {
    self.audioFallbackUrl = urlRewriter(audioFallbackUrl)
    self.audioHostUrl = urlRewriter(audioHostUrl)
    self.turnControlUrl = urlRewriter(turnControlUrl)
    self.signalingUrl = urlRewriter(signalingUrl)
    self.ingestionUrl = ingestionUrl.map(urlRewriter)
    self.gatewayUrl = gatewayUrl.map(urlRewriter)
  }
}
