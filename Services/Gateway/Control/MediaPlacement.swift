import MeetingModel

/// The addresses that the clients of one meeting connect to.
struct MediaPlacement: Hashable, Sendable {
  /// Media over UDP, `host:port`.
  let audioHostURL: String

  /// Media over a WebSocket.
  let audioFallbackURL: String

  /// The signaling of browser clients.
  let signalingURL: String

  let turnControlURL: String
  let eventIngestionURL: String

  /// The ZeroMQ endpoint for Carillon's own clients.
  let gatewayURL: String

  init(of meeting: Meeting, _ settings: ControlSettings) {
    // The stored base is always a valid URL unless it is damaged; then the local one replaces it.
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
