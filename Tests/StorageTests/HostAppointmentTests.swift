import MeetingModel
import Testing

@testable import Storage

@Suite struct HostAppointmentTests {
  private let meeting = MeetingID.random()
  private let ada = AttendeeID.random()
  private let now: Int64 = 1_700_000_000

  @Test func `an appointment is valid for five minutes`() async throws {
    try await withFiles { fixture in
      let appointments = try fixture.tokens().appointments
      let issued = appointments.issue(for: ada, in: meeting, at: now)
      #expect(issued.text.count == 54)
      #expect(appointments.isValid(issued, for: ada, in: meeting, at: now + 299))
      #expect(!appointments.isValid(issued, for: ada, in: meeting, at: now + 300))
    }
  }

  @Test func `an appointment belongs to one attendee, one meeting and one key`() async throws {
    try await withFiles { fixture in
      let appointments = try fixture.tokens().appointments
      let issued = appointments.issue(for: ada, in: meeting, at: now)
      #expect(!appointments.isValid(issued, for: .random(), in: meeting, at: now))
      #expect(!appointments.isValid(issued, for: ada, in: .random(), at: now))
      try await withFiles { other in
        let strangers = try other.tokens().appointments
        #expect(!strangers.isValid(issued, for: ada, in: meeting, at: now))
      }
    }
  }

  @Test func `a changed, truncated or lengthened appointment is refused`() async throws {
    try await withFiles { fixture in
      let appointments = try fixture.tokens().appointments
      let issued = appointments.issue(for: ada, in: meeting, at: now).text
      for index in issued.indices {
        var changed = issued
        let old = issued[index]
        changed.replaceSubrange(index...index, with: old == "A" ? "B" : "A")
        let isValid = appointments.isValid(
          HostAppointment(changed), for: ada, in: meeting, at: now)
        #expect(!isValid)
      }
      let texts = ["", "x", String(issued.dropLast()), issued + "A", issued + "=", "é" + issued]
      for text in texts {
        let isValid = appointments.isValid(HostAppointment(text), for: ada, in: meeting, at: now)
        #expect(!isValid, "\(text)")
      }
    }
  }

  @Test func `host tokens and join tokens are not appointments`() async throws {
    try await withFiles { fixture in
      let tokens = try fixture.tokens()
      let host = tokens.hostTokens.issue(for: meeting, at: now).token.text
      let join = tokens.token(meeting: meeting, attendee: ada, nonce: JoinTokenIssuer.makeNonce())
        .text
      for text in [host, join, String(host.prefix(54)), String(join.prefix(54))] {
        let isValid = tokens.appointments.isValid(
          HostAppointment(text), for: ada, in: meeting, at: now)
        #expect(!isValid)
      }
    }
  }
}
