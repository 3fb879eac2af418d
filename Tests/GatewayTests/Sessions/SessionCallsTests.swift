import MeetingModel
import Testing
import Wire

@testable import Gateway

/// Tests that a client's request calls the right services in the right order.
@Suite(.timeLimit(.minutes(5))) struct SessionCallsTests {
  private static let mutedByOperator = Status(.failedPrecondition, "An operator muted you.")

  @Test func `presence decides on a mute before media is informed`() async throws {
    try await withStage { _, stage in
      try await stage.calls.setMuted(true, of: stage.session)
      #expect(stage.told == ["presence mute", "media rights"])
      #expect(stage.changes == [.isMuted(true)])
      #expect(stage.session.record.isMuted)
    }
  }

  @Test func `a mute that presence refuses does not reach media`() async throws {
    try await withStage { _, stage in
      stage.answers["presence mute"] = Self.mutedByOperator
      let status = await refusal { () async throws(Status) in
        try await stage.calls.setMuted(false, of: stage.session)
      }
      #expect(status?.code == .failedPrecondition)
      #expect(stage.told == ["presence mute"])
    }
  }

  @Test func `media applies an operator's mute before presence reports the mute`() async throws {
    try await withStage { _, stage in
      let (attendee, meeting) = (stage.session.participant.attendee, stage.session.meeting)
      try await stage.calls.setMutedByOperator(true, attendee: attendee, in: meeting)
      #expect(stage.told == ["media rights", "presence mute by operator"])
      #expect(stage.changes == [.isMutedByOperator(true)])
      #expect(stage.session.record.isMutedByOperator)
    }
  }

  @Test func `media applies a host's mute before presence reports the mute`() async throws {
    try await withStage { _, stage in
      let (attendee, meeting) = (stage.session.participant.attendee, stage.session.meeting)
      try await stage.calls.mute(attendee, in: meeting)
      #expect(stage.told == ["media rights", "presence mute by host"])
      #expect(stage.changes == [.isMuted(true)])
      #expect(!stage.session.record.isMutedByOperator)
    }
  }

  @Test func `media forwards nothing from a removed or deleted attendee`() async throws {
    let nothing = V1.Capabilities(audio: .none, video: .none, content: .none)
    try await withStage { _, stage in
      let (attendee, meeting) = (stage.session.participant.attendee, stage.session.meeting)
      try await stage.calls.setBarred(true, attendee: attendee, in: meeting)
      try await stage.calls.setBarred(false, attendee: attendee, in: meeting)
      try await stage.calls.endAttendee(attendee, in: meeting)
      #expect(
        stage.told == [
          "media rights", "presence bar", "presence bar", "media rights", "presence end attendee",
        ])
      #expect(stage.changes == [.capabilities(nothing), .capabilities(nothing)])
    }
  }
}
