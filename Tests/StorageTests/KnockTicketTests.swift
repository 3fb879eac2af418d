import MeetingModel
import Testing

@testable import Storage

@Suite struct KnockTicketTests {
  private func ticket(_ name: String = "Eve") throws -> KnockTicket {
    KnockTicket(
      id: .random(), meeting: .random(), name: try DisplayName(name), openedAt: 1_700_000_000_123)
  }

  @Test(arguments: ["E", "Eve <b>", "Zoë 🔔", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦"])
  func `a gateway reads the ticket that another gateway of its installation signed`(
    name: String
  ) async throws {
    try await withFiles { fixture in
      let ticket = try ticket(name)
      let text = try fixture.tokens().knockTickets.text(of: ticket)
      let others = try fixture.tokens().knockTickets
      #expect(others.ticket(in: text) == ticket)
    }
  }

  @Test func `a ticket can contain the longest name`() async throws {
    try await withFiles { fixture in
      let tickets = try fixture.tokens().knockTickets
      let ticket = try ticket(String(repeating: "🔔", count: 64))
      #expect(tickets.ticket(in: tickets.text(of: ticket)) == ticket)
    }
  }

  @Test func `a ticket of another installation is refused`() async throws {
    try await withFiles { fixture in
      let text = try fixture.tokens().knockTickets.text(of: try ticket())
      try await withFiles { other in
        let strangers = try other.tokens().knockTickets
        #expect(strangers.ticket(in: text) == nil)
      }
    }
  }

  @Test func `a changed, truncated or lengthened ticket is refused`() async throws {
    try await withFiles { fixture in
      let tickets = try fixture.tokens().knockTickets
      let issued = tickets.text(of: try ticket())
      for index in issued.indices {
        var changed = issued
        let old = issued[index]
        changed.replaceSubrange(index...index, with: old == "A" ? "B" : "A")
        #expect(tickets.ticket(in: changed) == nil)
      }
      let texts = [
        "", "x", String(issued.dropLast()), issued + "A", issued + "=", "é" + issued,
        String(repeating: "A", count: 100_000),
      ]
      for text in texts { #expect(tickets.ticket(in: text) == nil) }
    }
  }

  @Test func `host tokens, join tokens and appointments are not tickets`() async throws {
    try await withFiles { fixture in
      let tokens = try fixture.tokens()
      let (meeting, ada) = (MeetingID.random(), AttendeeID.random())
      let others = [
        tokens.hostTokens.issue(for: meeting, at: 0).token.text,
        tokens.token(meeting: meeting, attendee: ada, nonce: JoinTokenIssuer.makeNonce()).text,
        tokens.appointments.issue(for: ada, in: meeting, at: 0).text,
      ]
      for text in others { #expect(tokens.knockTickets.ticket(in: text) == nil) }
    }
  }
}
