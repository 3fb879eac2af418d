public import Foundation

/// The addresses of a meeting's services, as the control API answers them.
public final class MediaPlacement: NSObject, Sendable {
  let audioFallbackUrl: String
  let audioHostUrl: String
  let signalingUrl: String
  let turnControlUrl: String
  let eventIngestionUrl: String?
  let gatewayUrl: String?

  public convenience init(
    audioFallbackUrl: String, audioHostUrl: String, signalingUrl: String, turnControlUrl: String
  ) {
    self.init(
      audioFallbackUrl: audioFallbackUrl, audioHostUrl: audioHostUrl, signalingUrl: signalingUrl,
      turnControlUrl: turnControlUrl, eventIngestionUrl: nil)
  }

  public convenience init(
    audioFallbackUrl: String, audioHostUrl: String, signalingUrl: String, turnControlUrl: String,
    eventIngestionUrl: String?
  ) {
    self.init(
      audioFallbackUrl: audioFallbackUrl, audioHostUrl: audioHostUrl, signalingUrl: signalingUrl,
      turnControlUrl: turnControlUrl, eventIngestionUrl: eventIngestionUrl, gatewayUrl: nil)
  }

  /// The full form. `gatewayUrl` is the gateway's ZeroMQ endpoint, an addition of Carillon.
  public init(
    audioFallbackUrl: String, audioHostUrl: String, signalingUrl: String, turnControlUrl: String,
    eventIngestionUrl: String?, gatewayUrl: String?
  ) {
    self.audioFallbackUrl = audioFallbackUrl
    self.audioHostUrl = audioHostUrl
    self.signalingUrl = signalingUrl
    self.turnControlUrl = turnControlUrl
    self.eventIngestionUrl = eventIngestionUrl
    self.gatewayUrl = gatewayUrl
  }
}

extension MediaPlacement {
  convenience init(_ document: CreateMeetingDocument.MediaPlacement) {
    self.init(
      audioFallbackUrl: document.audioFallbackUrl, audioHostUrl: document.audioHostUrl,
      signalingUrl: document.signalingUrl, turnControlUrl: document.turnControlUrl,
      eventIngestionUrl: document.eventIngestionUrl, gatewayUrl: document.gatewayUrl)
  }
}
