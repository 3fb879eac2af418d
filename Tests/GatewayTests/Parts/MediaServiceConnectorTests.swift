import Bus
import MeetingModel
import TestSupport
import Trials
import Testing
import Wire

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct MediaServiceConnectorTests {
  @Test func `a client learns media's address and gets a new ticket each time`() async throws {
    try await withOwner(MediaServiceConnector.init) { fixture, part, server in
      var admitted: [V1.AdmitRequest] = []
      server.on(V1.MediaMethods.admit) { request, call in
        admitted.append(request)
        call.reply(V1.AdmitReply(endpoint: "ipc:///media", term: 5))
      }
      let link = LocalLink()
      let session = try fixture.opening(link)
      session.record.isMutedByOperator = true
      for _ in 1...2 { try await part.takeIn(session).give() }
      _ = link.flush()
      let moved = link.events.compactMap { event in
        if case .mediaMoved(let moved) = event { moved } else { nil }
      }
      #expect(moved.map(\.endpoint) == ["ipc:///media", "ipc:///media"])
      #expect(moved.map(\.ticket) == admitted.map(\.ticket))
      #expect(Set(admitted.map(\.ticket)).count == 2)
      #expect(admitted.allSatisfy { $0.rights?.isMutedByOperator == true })
    }
  }

  @Test func `a change of rights is pending until media has answered the change`() async throws {
    try await withOwner(MediaServiceConnector.init) { fixture, part, server in
      let told = AwaitableEntryList<V1.SetSendRightsRequest.Change?>()
      server.on(V1.MediaMethods.setSendRights) { request, call in
        told.append(request.change)
        call.reply(V1.SetSendRightsReply())
      }
      let session = try await fixture.session(LocalLink())
      await part.tell(.isMuted(true), of: session.participant, in: session.meeting)
      await part.tell(.isMuted(false), of: session.participant, in: session.meeting)
      _ = try await told.wait(for: "both changes") { $0.contains(.isMuted(false)) }
      #expect(told.entries.first == .isMuted(true))
      try await eventually("nothing to be untold") { part.untold.count == 0 }
    }
  }

  @Test
  func `an unresponsive media service delays no client and later gets only the newest change`()
    async throws
  {
    try await withOwner(MediaServiceConnector.init) { fixture, part, server in
      let told = AwaitableEntryList<V1.SetSendRightsRequest.Change?>()
      var isStandingStill = true
      server.on(V1.MediaMethods.setSendRights) { request, call in
        guard !isStandingStill else { return call.fail(Status(.unavailable, "Not now.")) }
        told.append(request.change)
        call.reply(V1.SetSendRightsReply())
      }
      let session = try await fixture.session(LocalLink())
      for isMuted in [true, false, true] {
        await part.tell(.isMuted(isMuted), of: session.participant, in: session.meeting)
      }
      await part.tell(.isMutedByOperator(true), of: session.participant, in: session.meeting)
      isStandingStill = false
      // If the answer to a notice is late, the connector sends the notice again.
      _ = try await told.wait(for: "the newest of each kind") { Set($0).count == 2 }
      try await eventually("nothing to be untold") { part.untold.count == 0 }
      #expect(Set(told.entries) == [.isMuted(true), .isMutedByOperator(true)])
    }
  }

  @Test func `media is asked to release an ended session unless the client has returned`()
    async throws
  {
    try await withOwner(MediaServiceConnector.init) { fixture, part, server in
      let released = AwaitableEntryList<[UInt8]>()
      server.on(V1.MediaMethods.release) { request, call in
        released.append(request.sessionID)
        call.reply(V1.ReleaseReply())
      }
      let back = try await fixture.session(LocalLink())
      part.release(back, .byClient)
      let gone = try await fixture.session(LocalLink())
      fixture.keeper.end(gone, nil, .withMeeting)
      part.release(gone, .byClient)
      let heard = try await released.wait(for: "a Release") { !$0.isEmpty }
      #expect(heard == [gone.id.bytes])
    }
  }

  @Test func `noise suppression is refused until media has admitted the client`() async throws {
    try await withOwner(MediaServiceConnector.init) { fixture, part, server in
      server.on(V1.MediaMethods.setVoiceFocus) { _, call in call.reply(V1.SetVoiceFocusReply()) }
      let session = try await fixture.session(LocalLink())
      let request = V1.SetVoiceFocusRequest(isEnabled: true)
      let status = await refusal { () async throws(Status) in
        _ = try await part.setVoiceFocus(request, of: session)
      }
      #expect(status?.code == .failedPrecondition)
      session.media.admitted(nil, at: "media-a")
      _ = try await part.setVoiceFocus(request, of: session)
      #expect(session.media.isVoiceFocusEnabled)
    }
  }
}
