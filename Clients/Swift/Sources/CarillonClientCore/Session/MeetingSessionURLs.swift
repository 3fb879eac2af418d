public import Foundation

/// Where the services of a meeting are found.
///
/// The rewriter is applied once, by the initialisers. Decoding takes the URLs as they are.
public final class MeetingSessionURLs: NSObject, Codable, Sendable {
  /// Media over a socket, where UDP does not get through.
  public let audioFallbackUrl: String

  /// `host:port` of the media service, without a scheme.
  public let audioHostUrl: String

  /// Where relay credentials are asked for.
  public let turnControlUrl: String

  /// The signalling service; without `gatewayUrl` its host is asked for the gateway's endpoint.
  public let signalingUrl: String

  /// Where client events are sent; nil or empty sends none.
  public let ingestionUrl: String?

  /// The gateway's ZeroMQ endpoint, `ipc://…` or `tcp://…`. An addition of Carillon.
  public let gatewayUrl: String?

  /// Names neither a server for client events nor a gateway.
  public convenience init(
    audioFallbackUrl: String, audioHostUrl: String, turnControlUrl: String, signalingUrl: String,
    urlRewriter: URLRewriter
  ) {
    self.init(
      audioFallbackUrl: audioFallbackUrl, audioHostUrl: audioHostUrl,
      turnControlUrl: turnControlUrl, signalingUrl: signalingUrl, urlRewriter: urlRewriter,
      ingestionUrl: nil)
  }

  /// Names no gateway: the session asks the host of `signalingUrl` for it.
  public convenience init(
    audioFallbackUrl: String, audioHostUrl: String, turnControlUrl: String, signalingUrl: String,
    urlRewriter: URLRewriter, ingestionUrl: String?
  ) {
    self.init(
      audioFallbackUrl: audioFallbackUrl, audioHostUrl: audioHostUrl,
      turnControlUrl: turnControlUrl, signalingUrl: signalingUrl, urlRewriter: urlRewriter,
      ingestionUrl: ingestionUrl, gatewayUrl: nil)
  }

  /// The full form, with the endpoint that only Carillon has.
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
