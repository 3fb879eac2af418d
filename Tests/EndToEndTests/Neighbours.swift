import TestSupport
import Testing
import Trials
import Wire

/// Two attendees whom the faults of a test must not affect.
struct Neighbours: Sendable {
  let ada: Participant
  let grace: Participant

  /// Checks that grace still receives ada's mutes, and that the server did not report either
  /// attendee as left or lost.
  func noticedNothing(_ location: SourceLocation = #_sourceLocation) async throws {
    let mark = grace.mark
    try ada.mute()
    try await grace.hears(.muted("ada"), since: mark)
    try ada.unmute()
    try await grace.hears(.unmuted("ada"), since: mark)
    for neighbour in [ada, grace] {
      let heard = neighbour.heard.entries
      #expect(
        neighbour.aboutAudio == [
          .connecting(reconnecting: false), .started(reconnecting: false),
        ], sourceLocation: location)
      for name in ["ada", "grace"] {
        #expect(!heard.contains(.left(name)), sourceLocation: location)
        #expect(!heard.contains(.lost(name)), sourceLocation: location)
      }
    }
  }
}

/// Runs `body` with two other attendees in the meeting. Then checks that these two attendees
/// noticed nothing, and that the processes still run.
func withNeighbours(
  _ options: Installation.Options = .init(),
  _ body: (TestMeeting, Neighbours) async throws -> Void
) async throws {
  try await withMeeting(options) { meeting in
    let both = try await meeting.joined(["ada", "grace"])
    let neighbours = Neighbours(ada: both[0], grace: both[1])
    try await body(meeting, neighbours)
    try await neighbours.noticedNothing()
    #expect(meeting.installation.presence.isRunning)
    #expect(meeting.installation.messaging.isRunning)
    #expect(meeting.installation.gateway.process.isRunning)
  }
}

/// A socket that accepts requests.
enum ServiceSocket: String, CaseIterable, Sendable {
  case clients, operators, presence, messaging

  func path(in installation: Installation) -> String {
    switch self {
    case .clients: installation.gateway.path("client")
    case .operators: installation.gateway.path("operator")
    case .presence: installation.presencePath("rpc")
    case .messaging: installation.messagingPath("rpc")
    }
  }

  /// The key of a method that needs no parameters and that the server answers immediately.
  var ping: UInt32 {
    switch self {
    case .clients: V1.AudioVideoFacadeMethods.getLimits.key
    case .operators: V1.OperatorMethods.getLimits.key
    case .presence: V1.PresenceMethods.getLimits.key
    case .messaging: V1.MessagingMethods.getLimits.key
    }
  }

  /// The key of a method whose request has a text field.
  var textual: UInt32 {
    switch self {
    case .clients: V1.AudioVideoFacadeMethods.start.key
    case .operators: V1.OperatorMethods.getMeeting.key
    case .presence: V1.PresenceMethods.snapshot.key
    case .messaging: V1.MessagingMethods.replay.key
    }
  }

  /// Returns the number of requests that the server rejected for a reason.
  func rejected(_ reason: String, in installation: Installation) async throws -> Int {
    try await metrics(of: installation).sum("\(prefix)_rejected_total", ["reason": reason])
  }

  /// Returns the number of connection events of one kind.
  func connections(_ event: String, in installation: Installation) async throws -> Int {
    try await metrics(of: installation).sum("\(prefix)_connections_total", ["event": event])
  }

  private var prefix: String {
    switch self {
    case .clients: "carillon_gateway_client"
    case .operators: "carillon_gateway_operator"
    case .presence: "carillon_presence_rpc"
    case .messaging: "carillon_messaging_rpc"
    }
  }

  private func metrics(of installation: Installation) async throws -> MetricsText {
    switch self {
    case .clients, .operators: try await installation.metrics()
    case .presence: try await installation.presenceMetrics()
    case .messaging: try await installation.messagingMetrics()
    }
  }
}
