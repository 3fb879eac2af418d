import Bus
import MeetingModel
import TestSupport
import Trials
import Testing
import Wire

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct TranscriptionServiceConnectorTests {
  private static let running = V1.TranscriptionStatus(type: .started)

  @Test func `missed transcripts of an unchanged epoch are delivered, and no loss is reported`()
    async throws
  {
    try await withOwner(TranscriptionServiceConnector.init) { fixture, part, server in
      server.on(V1.TranscriptionMethods.join) { _, call in
        call.reply(V1.TranscriptSnapshot(epoch: 7, sequence: 4, status: Self.running))
      }
      server.on(V1.TranscriptionMethods.replay) { request, call in
        #expect(request.epoch == 7)
        let missed = (request.afterSequence + 1...4).map { V1.PackedEvent.numbered($0, epoch: 7) }
        call.reply(V1.TranscriptReplayReply(outcome: .events(V1.ReplayedEvents(events: missed))))
      }
      let link = LocalLink()
      let position = StreamCursor(epoch: 7, sequence: 2)
      let session = try await fixture.session(link, after: [.transcripts: position])
      let delivery = try await part.takeIn(session)
      delivery.give()
      _ = link.flush()
      #expect(delivery.isComplete)
      #expect(link.numbers == ["3", "4"])
      #expect(session.cursors[.transcripts] == StreamCursor(epoch: 7, sequence: 4))
    }
  }

  @Test func `a new epoch reports no lost transcripts if nothing was ever transcribed`()
    async throws
  {
    try await withOwner(TranscriptionServiceConnector.init) { fixture, part, server in
      server.on(V1.TranscriptionMethods.join) { _, call in
        call.reply(V1.TranscriptSnapshot(epoch: 8, sequence: 0))
      }
      let link = LocalLink()
      let position = StreamCursor(epoch: 7, sequence: 0)
      let session = try await fixture.session(link, after: [.transcripts: position])
      let delivery = try await part.takeIn(session)
      delivery.give()
      _ = link.flush()
      #expect(delivery.isComplete)
      #expect(link.names == ["sessionStarted"])
      #expect(session.cursors[.transcripts] == StreamCursor(epoch: 8, sequence: 0))
    }
  }

  @Test(arguments: [UInt64(7), 8])
  func `transcripts that transcription no longer keeps are reported as lost`(epoch: UInt64)
    async throws
  {
    try await withOwner(TranscriptionServiceConnector.init) { fixture, part, server in
      let snapshot = V1.TranscriptSnapshot(epoch: epoch, sequence: 900, status: Self.running)
      server.on(V1.TranscriptionMethods.join) { _, call in call.reply(snapshot) }
      server.on(V1.TranscriptionMethods.replay) { _, call in
        call.reply(V1.TranscriptReplayReply(outcome: .snapshot(snapshot)))
      }
      let link = LocalLink()
      let position = StreamCursor(epoch: 7, sequence: 1)
      let session = try await fixture.session(link, after: [.transcripts: position])
      let delivery = try await part.takeIn(session)
      delivery.give()
      _ = link.flush()
      #expect(!delivery.isComplete)
      #expect(link.names == ["sessionStarted", "transcriptSnapshot"])
      #expect(session.cursors[.transcripts] == StreamCursor(epoch: epoch, sequence: 900))
    }
  }

  @Test func `a content share receives no transcripts`() async throws {
    try await withOwner(TranscriptionServiceConnector.init) { fixture, part, _ in
      let session = try await fixture.session(LocalLink())
      #expect(part.need(of: session)?.step == .afterRoster)
      let content = try await fixture.session(LocalLink(), asContent: true)
      #expect(part.need(of: content) == nil)
      #expect(part.meeting(heardBy: content) == nil)
    }
  }

  @Test func `transcription is notified of a session's end only if the session chose a language`()
    async throws
  {
    try await withOwner(TranscriptionServiceConnector.init) { fixture, part, server in
      let left = AwaitableEntryList<[UInt8]>()
      server.on(V1.TranscriptionMethods.leave) { request, call in
        left.append(request.sessionID)
        call.reply(V1.LeaveReply())
      }
      let silent = try await fixture.session(LocalLink())
      let reader = try await fixture.session(LocalLink())
      try reader.transcripts.choose(view: "de", spoken: "")
      part.release(silent, .byClient)
      part.release(reader, .byClient)
      let heard = try await left.wait(for: "a Leave") { !$0.isEmpty }
      #expect(heard == [reader.id.bytes])
    }
  }
}
