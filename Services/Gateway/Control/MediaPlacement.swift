import MeetingModel

/// Where the clients of one meeting connect, for what.
struct MediaPlacement: Hashable, Sendable {
  /// Media over UDP, `host:port`.
  let audioHostURL: String

  /// Media over a socket.
  let audioFallbackURL: String

  /// The signaling of browser clients.
  let signalingURL: String

  let turnControlURL: String
  let eventIngestionURL: String

  /// The ZeroMQ endpoint of the clients of this house.
  let gatewayURL: String

  init(of meeting: Meeting, _ settings: ControlSettings) {
    // What was stored is a URL by construction; the local one stands in for a damaged one.
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
