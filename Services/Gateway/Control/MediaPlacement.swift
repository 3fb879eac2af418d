import MeetingModel

/// The addresses that the clients of one meeting connect to.
struct MediaPlacement: Hashable, Sendable {
  /// The address of `media` over UDP, as `host:port`.
  let audioHostURL: String

  /// The URL of `media` over a WebSocket.
  let audioFallbackURL: String

  /// The URL of the signaling for browser clients.
  let signalingURL: String

  let turnControlURL: String
  let eventIngestionURL: String

  /// The ZeroMQ endpoint for Carillon's own clients.
  let gatewayURL: String

  init(of meeting: Meeting, _ settings: ControlSettings) {
    // The stored base URL is valid unless the record is damaged. The local URL replaces an invalid
    // base URL.
    let base = PublicURL(meeting.placementBase) ?? settings.localURL
    let id = meeting.id.text
    audioHostURL = "\(settings.mediaHost ?? base.host):\(settings.mediaPort)"
    audioFallbackURL = base.webSocket("/calls/\(id)")
    signalingURL = base.webSocket("/control/\(id)")
    turnControlURL = base.http("/v2/turn_sessions")
    eventIngestionURL = base.http("/v1/client-events")
    gatewayURL = settings.gatewayURL
  }
}
