import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import Media

extension MediaServices {
  /// Tests of the talkers' sound that transcription receives.
  struct MediaTalkerServiceTests {
    private static func of(_ guest: Guest, _ pieces: [MediaGateway.Piece]) -> [V1.TalkerChunk] {
      pieces.map(\.chunk).filter { $0.attendee?.attendeeID == guest.id }
    }

    @Test func `each talker's speech is one stream of chunks until the talker stops`() async throws
    {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        let edsger = try await fixture.join(.edsger)
        await fixture.gateway.hearTalkers(credit: 1_000)
        try await ada.speak(.tone(440))
        try await edsger.speak(.tone(1_000))
        try await fixture.gateway.pieces.wait(for: "both") { pieces in
          [Guest.ada, .edsger].allSatisfy { Self.of($0, pieces).count >= 20 }
        }
        await ada.fallSilent()
        let pieces = try await fixture.gateway.pieces.wait(for: "the end") {
          Self.of(.ada, $0).last?.isLast == true
        }
        let chunks = Self.of(.ada, pieces)
        #expect(chunks.map(\.sequence) == chunks.indices.map { UInt64($0) + 1 })
        #expect(chunks.allSatisfy { $0.lostMs == 0 && ($0.isLast || $0.samples == 320) })
        #expect(zip(chunks, chunks.dropFirst()).allSatisfy { $0.startMs <= $1.startMs })
        #expect(pieces.allSatisfy { $0.bytes.count == 2 * Int($0.chunk.samples) })
        #expect(chunks.last?.attendee == Guest.ada.info)
      }
    }

    @Test func `chunks wait while there is no credit, and the stream reports dropped chunks`()
      async throws
    {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        let grace = try await fixture.join(.grace)
        await fixture.gateway.hearTalkers(credit: 3, maxWaitingMs: 100)
        try await ada.speak(.tone(440))
        try await fixture.gateway.pieces.wait(for: "the credit") { $0.count == 3 }
        // The test waits one second longer than media keeps sound. The number of sounds that the
        // listener got measures the time.
        let count = grace.sounds.entries.count
        try await grace.sounds.wait(for: "a second") { $0.count >= count + 50 }
        #expect(fixture.gateway.pieces.entries.count == 3)
        try await fixture.gateway.grant(5)
        let chunks = try await fixture.gateway.pieces.wait(for: "what waited") { $0.count >= 8 }
          .map(\.chunk)
        let lost = chunks.reduce(0) { $0 + $1.lostMs }
        #expect(lost >= 600, "\(lost)")
        #expect(chunks[3].lostMs == lost)
        // The speech lacks only the part that media reported as lost.
        #expect(chunks[3].startMs - chunks[2].startMs - 20 == UInt64(lost))
        await fixture.gateway.stopHearing()
      }
    }

    @Test
    func `a stream ends when the meeting ends, and a cancelled stream is forgotten`() async throws {
      try await withMediaService { fixture in
        _ = try await fixture.join(.ada)
        await fixture.gateway.hearTalkers(credit: 1)
        try await fixture.gateway.grant(1)
        await fixture.gateway.stopHearing()
        await #expect {
          try await fixture.gateway.grant(1)
        } throws: {
          ($0 as? Status)?.code == .notFound
        }
        await fixture.gateway.hearTalkers(credit: 1)
        _ = try await fixture.gateway.call(
          V1.MediaMethods.endMeeting, V1.EndMeetingRequest(meetingID: Guest.meeting))
        try await fixture.gateway.ends.wait(for: "the end") { $0 == [.ok] }
      }
    }

    @Test func `a repeated request for the talkers' speech restarts the stream`() async throws {
      try await withMediaService { fixture in
        let ada = try await fixture.join(.ada)
        await fixture.gateway.hearTalkers(credit: 1)
        try await ada.speak(.tone(440))
        try await fixture.gateway.pieces.wait(for: "the credit") { $0.count == 1 }
        await fixture.gateway.hearTalkers(credit: 2)
        let chunks = try await fixture.gateway.pieces.wait(for: "the new one") { $0.count == 3 }
          .map(\.chunk)
        #expect(chunks.map(\.sequence) == [1, 1, 2])
        // The new stream ended the old stream.
        try await fixture.gateway.ends.wait(for: "the former one's end") { $0 == [.aborted] }
        try await fixture.gateway.grant(1)
        try await fixture.gateway.pieces.wait(for: "one more") { $0.count == 4 }
      }
    }

    @Test(arguments: [
      V1.StreamTalkersRequest(meetingID: "x", streamID: MediaGateway.stream, credit: 1),
      V1.StreamTalkersRequest(meetingID: Guest.meeting, streamID: [1], credit: 1),
      V1.StreamTalkersRequest(meetingID: Guest.meeting, streamID: MediaGateway.stream),
      V1.StreamTalkersRequest(
        meetingID: Guest.meeting, streamID: MediaGateway.stream, credit: 10_001),
      V1.StreamTalkersRequest(
        meetingID: Guest.meeting, streamID: MediaGateway.stream, credit: 1, chunkMs: 30),
      V1.StreamTalkersRequest(
        meetingID: Guest.meeting, streamID: MediaGateway.stream, credit: 1, chunkMs: 220),
      V1.StreamTalkersRequest(
        meetingID: Guest.meeting, streamID: MediaGateway.stream, credit: 1, maxWaitingMs: 60_001),
    ])
    func `an invalid request for talkers is refused`(request: V1.StreamTalkersRequest) async throws
    {
      try await withMediaService { fixture in
        await fixture.gateway.hear(request)
        try await fixture.gateway.ends.wait(for: "the refusal") { $0 == [.invalidArgument] }
        await #expect(throws: Status.self) { _ = try await fixture.gateway.statistics() }
      }
    }

    @Test func `an invalid credit is refused`() async throws {
      try await withMediaService { fixture in
        _ = try await fixture.join(.ada)
        await fixture.gateway.hearTalkers(credit: 1)
        for credit: UInt32 in [0, 10_001, .max] {
          await #expect {
            try await fixture.gateway.grant(credit)
          } throws: {
            ($0 as? Status)?.code == .invalidArgument
          }
        }
      }
    }
  }
}
