import CarillonClient
import TestSupport
import Testing
import Trials
import Wire

/// Tests with real processes. The tests run one after the other, because the machine has few cores.
@Suite(.serialized, .timeLimit(.minutes(5))) enum EndToEnd {}

/// A meeting of an installation.
struct TestMeeting: Sendable {
  let installation: Installation
  let record: V1.MeetingRecord

  /// Creates an attendee and its session without starting the session.
  ///
  /// - Parameter gatewayURL: The URL of the gateway; `nil` for the first gateway.
  func participant(_ name: String, through gatewayURL: String? = nil) async throws -> Participant {
    let attendee = try await installation.createAttendee(name, in: record)
    return participant(attendee, through: gatewayURL)
  }

  /// Creates a session of an existing attendee.
  func participant(
    _ attendee: V1.AttendeeRecord, through gatewayURL: String? = nil
  ) -> Participant {
    var attendee = attendee
    attendee.meetingID = record.meetingID
    return Participant(
      attendee, through: gatewayURL ?? installation.gateway.clientURL,
      signalingURL: "ws://127.0.0.1:\(installation.gateway.restPort)/control/\(record.meetingID)")
  }

  /// Creates a participant, and lets the participant join the meeting.
  func joined(_ name: String, through gatewayURL: String? = nil) async throws -> Participant {
    let participant = try await participant(name, through: gatewayURL)
    try await participant.join()
    return participant
  }

  /// Creates participants, lets them join the meeting, and waits until each participant's roster
  /// contains all participants.
  func joined(_ names: [String]) async throws -> [Participant] {
    var participants: [Participant] = []
    for name in names { participants.append(try await joined(name)) }
    for participant in participants { try await participant.knows(exactly: Set(names)) }
    return participants
  }

  /// Creates a relay to the first gateway. A test can cut the relay.
  func relay() throws -> ByteRelay {
    try ByteRelay(
      at: "\(installation.directory)/relay.sock", to: installation.gateway.path("client"))
  }

  /// Waits until the server has had time to report every earlier loss of an attendee. For this
  /// purpose, a sentinel joins and closes its connection, and the server regards the sentinel as
  /// lost.
  ///
  /// The server reports lost attendees in the order of their losses. A report of an earlier loss,
  /// right or wrong, therefore arrives before the report of the sentinel's loss.
  func sentinelIsLost(heardBy participants: [Participant]) async throws {
    let sentinel = try await installation.createAttendee("sentinel", in: record)
    try await withRawClient(installation) { try await $0.start(sentinel, isKeptAlive: false) }
    for participant in participants { try await participant.hears(.lost("sentinel")) }
  }

}

/// Runs `body` with a meeting of a new installation.
func withMeeting(
  _ options: Installation.Options = .init(), _ body: (TestMeeting) async throws -> Void
) async throws {
  try await Installation.run(options) { installation in
    let record = try await installation.createMeeting()
    try await body(TestMeeting(installation: installation, record: record))
  }
}
