import CarillonClient
import TestSupport
import Testing
import Trials
import Wire

/// Tests with real processes: one installation at a time, because a machine has few cores.
@Suite(.serialized, .timeLimit(.minutes(1))) enum EndToEnd {}

/// A meeting of an installation, and who is let into it.
struct TestMeeting: Sendable {
  let installation: Installation
  let record: V1.MeetingRecord

  /// Makes an attendee and its session, and does not start it.
  ///
  /// - Parameter gatewayURL: Where the session connects; `nil` for the first gateway.
  func participant(_ name: String, through gatewayURL: String? = nil) async throws -> Participant {
    let attendee = try await installation.createAttendee(name, in: record)
    return participant(attendee, through: gatewayURL)
  }

  /// A session of an attendee that there is.
  func participant(
    _ attendee: V1.AttendeeRecord, through gatewayURL: String? = nil
  ) -> Participant {
    var attendee = attendee
    attendee.meetingID = record.meetingID
    return Participant(
      attendee, through: gatewayURL ?? installation.gateway.clientURL,
      signalingURL: "ws://127.0.0.1:\(installation.gateway.restPort)/control/\(record.meetingID)")
  }

  /// A participant that is in the meeting.
  func joined(_ name: String, through gatewayURL: String? = nil) async throws -> Participant {
    let participant = try await participant(name, through: gatewayURL)
    try await participant.join()
    return participant
  }

  /// Participants that are in the meeting, and have all heard of each other.
  func joined(_ names: [String]) async throws -> [Participant] {
    var participants: [Participant] = []
    for name in names { participants.append(try await joined(name)) }
    for participant in participants { try await participant.knows(exactly: Set(names)) }
    return participants
  }

  /// A wire to the first gateway that can be cut.
  func relay() throws -> ByteRelay {
    try ByteRelay(
      at: "\(installation.directory)/relay.sock", to: installation.gateway.path("client"))
  }

  /// Lets the time pass after which who has gone is told: somebody joins, vanishes, and is lost.
  ///
  /// Who went before that, or was wrongly taken for gone, is told by then too.
  func sentinelIsLost(heardBy participants: [Participant]) async throws {
    let sentinel = try await installation.createAttendee("sentinel", in: record)
    try await withRawClient(installation) { try await $0.start(sentinel, isKeptAlive: false) }
    for participant in participants { try await participant.hears(.lost("sentinel")) }
  }

}

/// Runs `body` with a meeting of an installation of its own.
func withMeeting(
  _ options: Installation.Options = .init(), _ body: (TestMeeting) async throws -> Void
) async throws {
  try await Installation.run(options) { installation in
    let record = try await installation.createMeeting()
    try await body(TestMeeting(installation: installation, record: record))
  }
}
