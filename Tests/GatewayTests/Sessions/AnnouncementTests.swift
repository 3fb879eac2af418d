import Bus
import MeetingModel
import ServiceHost
import Testing
import Wire
import ZeroMQ

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct AnnouncementTests {
  @Test func `the gateway counts announced sessions that transcription refuses`() async throws {
    try await withKeeper { fixture in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: fixture.directory)
      let requests = try Endpoint.ipc(fixture.directory + "/t.sock")
      let server = try RequestServer(at: [requests], in: fixture.sockets, on: fixture.thread)
      var announced: [V1.AnnounceTranscriptionRequest] = []
      server.on(V1.TranscriptionMethods.announce) { request, call in
        announced.append(request)
        let status = V1.Status(Status(.invalidArgument, "A vocabulary is too large."))
        call.reply(
          V1.AnnounceTranscriptionReply(
            term: 1, refused: [V1.RefusedSession(sessionID: [1], status: status)],
            refusedTranscriptions: [
              V1.RefusedTranscription(meetingID: MeetingID.random().text, status: status),
              V1.RefusedTranscription(meetingID: "nonsense"),
            ]))
      }
      let registration = try registry.register(
        InstanceAnnouncement(
          service: "transcription", instance: "transcription-a",
          endpoints: ["rpc": requests.text, "events": "ipc://\(fixture.directory)/e.sock"]))
      let part = TranscriptionServiceConnector(in: fixture.context)
      try part.follower.refresh(with: registry.instances(of: "transcription"))
      let link = try #require(part.follower.owner(of: .random()))
      try await part.announce(to: link)
      #expect(announced.map(\.last) == [true])
      #expect(fixture.context.metrics.refusedAnnouncements.value == 3)
      part.follower.close()
      server.close()
      registration.withdraw()
    }
  }
}
