import Foundation
import MeetingModel
import Storage
import Testing

@Suite struct AdmissionTests {
  @Test func `the admission of a valid token returns the attendee and the data for a session`()
    async throws
  {
    try await withFixture { fixture in
      let (one, two) = (try fixture.open(), try fixture.open())
      let meeting = try await one.makeMeeting()
      let ada = try await one.makeAttendee("ada", in: meeting)
      try await one.setMutedByOperator(true, attendee: ada.attendee.id, in: meeting, at: 3_000)
      let admission = try await two.admission(
        meeting: meeting, attendee: ada.attendee.id, token: ada.joinToken)
      var muted = ada.attendee
      muted.isMutedByOperator = true
      #expect(try await admission == .admitted(one.meeting(meeting), muted))
      let content = try await two.admission(
        meeting: meeting, attendee: ada.attendee.id,
        token: JoinToken(ada.joinToken.text + "#content"))
      #expect(content == admission)
    }
  }

  @Test func `every wrong token, attendee or meeting gets the same refusal`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      let other = try await store.makeMeeting("token-2")
      let ada = try await store.makeAttendee("ada", in: meeting)
      let grace = try await store.makeAttendee("grace", in: meeting)
      let id = ada.attendee.id
      let decoy = store.tokens.token(
        meeting: meeting, attendee: .random(), nonce: [UInt8](repeating: 0, count: 16))
      let attempts: [(MeetingID, AttendeeID, JoinToken)] = [
        (meeting, id, grace.joinToken), (meeting, id, JoinToken("")), (meeting, id, decoy),
        (meeting, id, JoinToken(String(repeating: "x", count: 10_000))),
        (other, id, ada.joinToken), (.random(), id, ada.joinToken),
        (meeting, .random(), ada.joinToken), (.random(), .random(), JoinToken("x")),
      ]
      for (meeting, attendee, token) in attempts {
        let admission = try await store.admission(
          meeting: meeting, attendee: attendee, token: token)
        #expect(admission == .refused)
      }
    }
  }

  @Test func `the dummy value for a missing nonce admits nobody`() async throws {
    try await withStore { store in
      let (meeting, nobody) = (try await store.makeMeeting(), AttendeeID.random())
      let token = store.tokens.token(
        meeting: meeting, attendee: nobody, nonce: [UInt8](repeating: 0, count: 16))
      let admission = try await store.admission(meeting: meeting, attendee: nobody, token: token)
      #expect(admission == .refused)
    }
  }

  @Test func `a deleted attendee is refused, even after the meeting ended`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      let ada = try await store.makeAttendee("ada", in: meeting)
      let id = ada.attendee.id
      try await store.deleteAttendee(id, in: meeting, at: 3_000)
      func admission() async throws -> JoinCredentialsCheck {
        try await store.admission(meeting: meeting, attendee: id, token: ada.joinToken)
      }
      #expect(try await admission() == .refused)
      _ = try await store.endMeeting(meeting, because: .deleted, at: 1)
      #expect(try await admission() == .refused)
    }
  }

  @Test(arguments: MeetingEndReason.allCases)
  func `only a token of an ended meeting reveals why the meeting ended`(
    cause: MeetingEndReason
  ) async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      let ada = try await store.makeAttendee("ada", in: meeting)
      let grace = try await store.makeAttendee("grace", in: meeting)
      _ = try await store.endMeeting(meeting, because: cause, at: 50)
      func admission(_ token: JoinToken) async throws -> JoinCredentialsCheck {
        try await store.admission(meeting: meeting, attendee: ada.attendee.id, token: token)
      }
      #expect(try await admission(ada.joinToken) == .meetingEnded(cause))
      let content = JoinToken(ada.joinToken.text + "#content")
      #expect(try await admission(content) == .meetingEnded(cause))
      #expect(try await admission(grace.joinToken) == .refused)
    }
  }

  @Test func `a token of an ended replica reveals that the primary ended`() async throws {
    try await withStore { store in
      let primary = try await store.makeMeeting()
      let replica = try await store.makeMeeting("token-2", primary: primary)
      let ada = try await store.makeAttendee("ada", in: replica)
      _ = try await store.endMeeting(primary, because: .deleted, at: 1)
      let admission = try await store.admission(
        meeting: replica, attendee: ada.attendee.id, token: ada.joinToken)
      #expect(admission == .meetingEnded(.primaryEnded))
    }
  }

  @Test func `the store forgets an ended meeting only after the given age`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      let ada = try await store.makeAttendee("ada", in: meeting)
      _ = try await store.endMeeting(meeting, because: .idle, at: 50)
      func admission() async throws -> JoinCredentialsCheck {
        try await store.admission(
          meeting: meeting, attendee: ada.attendee.id, token: ada.joinToken)
      }
      #expect(try await store.purge(endedBefore: 50) == 0)
      #expect(try await admission() == .meetingEnded(.idle))
      #expect(try await store.purge(endedBefore: 51) == 1)
      #expect(try await admission() == .refused)
    }
  }

  @Test func `a stolen database contains no tokens and no attendees of ended meetings`()
    async throws
  {
    try await withFiles { fixture in
      let store = try fixture.open()
      let meeting = try await store.makeMeeting()
      let ada = try await store.makeAttendee("ada-lovelace", in: meeting)
      let grace = try await store.makeAttendee("grace-hopper", in: store.makeMeeting("token-2"))
      _ = try await store.endMeeting(meeting, because: .deleted, at: 1)
      let key = try Data(contentsOf: URL(filePath: fixture.keyFile))
      for suffix in ["", "-wal", "-shm"] {
        let bytes = try Data(contentsOf: URL(filePath: fixture.database + suffix))
        for issued in [ada, grace] {
          #expect(bytes.range(of: Data(issued.joinToken.text.utf8)) == nil)
        }
        #expect(bytes.range(of: key) == nil)
      }
      // An attacker uses the stolen database with another key.
      let thief = try MeetingStore(
        path: fixture.database, tokens: JoinTokenIssuer(keyFile: fixture.keyFile + "-of-the-thief"))
      let stolen = try await thief.attendee(grace.attendee.id, in: grace.attendee.meetingID)
      let admission = try await store.admission(
        meeting: grace.attendee.meetingID, attendee: grace.attendee.id, token: stolen.joinToken)
      #expect(admission == .refused)
    }
  }
}
