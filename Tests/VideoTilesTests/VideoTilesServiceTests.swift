import Bus
import MeetingModel
import OwnerTestSupport
import Ownership
import ServiceHost
import Testing
import Wire

@testable import VideoTiles

@Suite(.timeLimit(.minutes(5))) struct VideoTilesServiceTests {
  private let planning = MeetingID.planning.text

  @Test func `the meeting's topic carries the event of a source before the event of its tiles`()
    async throws
  {
    try await withVideoTiles { tiles in
      try await tiles.withGateway { gateway in
        try await gateway.follow()
        let joined = try await gateway.join(.ada)
        try await gateway.join(.grace)
        let published = try #require(try await gateway.publish(.camera(150, 600), by: .ada))
        #expect(published.tileID == 1)
        #expect(published.trackSSRC != 0)
        #expect(published.layers.allSatisfy { $0.ssrc != 0 })
        let event = try await gateway.event { $0.sources != nil }
        #expect(event.header.meetingID == planning)
        #expect(event.header.epoch == joined.board?.epoch)
        #expect(event.header.term == joined.term)
        #expect(event.header.onlyFor.isEmpty)
        let source = try #require(event.sources?.available.first)
        #expect(source.attendee?.attendeeID == Person.ada.participant.text)
        #expect(source.trackSSRC == published.trackSSRC)
        let tile = try await gateway.event { !$0.tiles.isEmpty }
        #expect(tile.header.onlyFor == [Person.grace.participant.text])
        #expect(tile.header.sequence == event.header.sequence + 1)
        #expect(
          tile.tiles == [
            V1.TileState(
              tileID: 1, participantID: Person.ada.participant.text, pauseState: .unpaused,
              layer: 2, width: 640, height: 360)
          ])
      }
    }
  }

  @Test func `a join returns all sources, the receiver's tiles and the receiver's own sources`()
    async throws
  {
    try await withVideoTiles { tiles in
      try await tiles.withGateway { gateway in
        try await gateway.join(.ada, publishing: .camera(600))
        let reply = try await gateway.join(.grace, publishing: .camera(600))
        let board = try #require(reply.board)
        #expect(board.sources.map(\.tileID) == [1, 2])
        #expect(board.receivers.map(\.participantID) == [Person.grace.participant.text])
        #expect(board.receivers.first?.tiles.map(\.tileID) == [1])
        #expect(board.receivers.first?.camera?.isAvailable == true)
        #expect(reply.published.map(\.tileID) == [2])
        #expect(try await gateway.snapshot().receivers.count == 2)
        #expect(try await gateway.snapshot(of: .ada, .edsger).receivers.count == 1)
      }
    }
  }

  @Test func `a camera over the limit is refused, and its attendee may only watch`() async throws {
    try await withVideoTiles(VideoTilesRules(maxCameras: 1)) { tiles in
      try await tiles.withGateway { gateway in
        try await gateway.follow()
        for person in [Person.ada, .grace] { try await gateway.join(person) }
        try await gateway.publish(.camera(600), by: .ada)
        let told = try await gateway.event { $0.camera != nil }
        #expect(told.header.onlyFor == [Person.grace.participant.text])
        #expect(told.camera?.status == .videoAtCapacityViewOnly)
        let error = await #expect(throws: Status.self) {
          try await gateway.publish(.camera(600), by: .grace)
        }
        #expect(error?.code == .resourceExhausted)
        #expect(error?.sessionStatus == .videoAtCapacityViewOnly)
        let board = try await gateway.snapshot(of: .grace)
        #expect(board.receivers.first?.tiles.count == 1)
        let limits = try await gateway.call(V1.VideoTilesMethods.getLimits, V1.GetLimitsRequest())
        #expect(limits.maxCameras == 1)
        #expect(limits.maxContentShares == 2)
        #expect(limits.maxVideosWithoutSubscription == 25)
        let text = tiles.metrics.prometheusText()
        #expect(text.contains("carillon_video_tiles_refusals_total{reason=\"cameras_full\"} 1\n"))
      }
    }
  }

  @Test func `a third content share is refused`() async throws {
    try await withVideoTiles { tiles in
      try await tiles.withGateway { gateway in
        try await gateway.join(.edsger)
        for person in [Person.ada, .grace] {
          try await gateway.join(person.content, publishing: .content)
        }
        let error = await #expect(throws: Status.self) {
          try await gateway.join(Person.edsger.content, publishing: .content)
        }
        #expect(error?.code == .resourceExhausted)
        let board = try await gateway.snapshot(of: .edsger)
        #expect(board.receivers.first?.tiles.map(\.tileID) == [1, 2])
        try await gateway.leave(Person.ada.content)
        try await gateway.join(Person.edsger.content, publishing: .content)
      }
    }
  }

  @Test func `an event for a large audience is split into several events`() async throws {
    try await withVideoTiles(VideoTilesRules(maxCameras: 1)) { tiles in
      try await tiles.withGateway { gateway in
        try await gateway.follow()
        let people = (1...150).map { Person(number: $0) }
        for person in people { try await gateway.join(person) }
        try await gateway.publish(.camera(600), by: .ada)
        _ = try await gateway.event { $0.camera != nil && $0.header.onlyFor.count < 64 }
        for person in people.dropFirst() {
          let events = gateway.events(for: person)
          #expect(events.count { $0.camera != nil } == 1)
          #expect(events.count { !$0.tiles.isEmpty } == 1)
        }
      }
    }
  }

  @Test func `reduced capabilities end the attendee's source`() async throws {
    try await withVideoTiles { tiles in
      try await tiles.withGateway { gateway in
        try await gateway.follow()
        try await gateway.join(.ada, publishing: .camera(600))
        try await gateway.setCapabilities(
          of: .ada, to: V1.Capabilities(video: .receive, content: .receive))
        let event = try await gateway.event { $0.publishedEnded != nil }
        #expect(event.header.onlyFor == [Person.ada.participant.text])
        #expect(event.publishedEnded?.tileID == 1)
        #expect(event.publishedEnded?.status?.code == .permissionDenied)
        #expect(try await gateway.snapshot().sources.isEmpty)
      }
    }
  }

  @Test func `a replica's session can publish while it is promoted`() async throws {
    try await withVideoTiles { tiles in
      try await tiles.withGateway { gateway in
        try await gateway.follow()
        var session = V1.TileSession(.ada)
        session.replicaMeetingID = MeetingID.review.text
        try await gateway.join(session)
        try await gateway.join(.grace)
        let error = await #expect(throws: Status.self) {
          try await gateway.publish(.camera(600), by: .ada)
        }
        #expect(error?.code == .failedPrecondition)
        let promoted = try await gateway.call(
          V1.VideoTilesMethods.promote,
          V1.PromoteRequest(
            sessionID: Person.ada.session().bytes, replicaMeetingID: MeetingID.review.text,
            primary: V1.GatewaySession(
              meetingID: planning, participantID: Person.edsger.participant.text,
              externalUserID: "edsger"), gateway: gateway.name))
        #expect(promoted.camera?.isAvailable == true)
        try await gateway.publish(.camera(600), by: .ada)
        let event = try await gateway.event { $0.sources?.available.isEmpty == false }
        #expect(
          event.sources?.available.first?.attendee?.attendeeID == Person.edsger.participant.text)
        _ = try await gateway.call(
          V1.VideoTilesMethods.demote,
          V1.DemoteRequest(
            primaryMeetingID: planning, sessionID: Person.ada.session().bytes, reason: .demoted,
            gateway: gateway.name))
        _ = try await gateway.event { $0.sources?.unavailable.isEmpty == false }
      }
    }
  }

  @Test func `a detached client loses its source unless it resumes in time`()
    async throws
  {
    let rules = VideoTilesRules(timing: OwnerGracePeriods(dropAfter: .seconds(60)))
    try await withVideoTiles(rules) { tiles in
      try await tiles.withGateway { gateway in
        try await gateway.follow()
        for person in [Person.ada, .grace] {
          try await gateway.join(person, publishing: .camera(600))
        }
        try await gateway.detach(.ada, silentFor: 0)
        try await gateway.detach(.grace, silentFor: 60_000)
        let again = V1.TileSession(.ada, publishing: [.camera(600)])
        #expect(try await gateway.join(again, isResume: true).published.map(\.tileID) == [1])
        let event = try await gateway.event { $0.sources?.unavailable.isEmpty == false }
        #expect(event.sources?.unavailable.map(\.tileID) == [2])
        #expect(try await gateway.snapshot().sources.map(\.tileID) == [1])
      }
    }
  }

  @Test func `a replay returns recent events, or a snapshot if the position is too old`()
    async throws
  {
    try await withVideoTiles { tiles in
      try await tiles.withGateway { gateway in
        let epoch = try #require(try await gateway.join(.ada).board).epoch
        try await gateway.join(.grace)
        try await gateway.publish(.camera(600), by: .ada)
        guard case .events(let replayed) = try await gateway.replay(epoch: epoch, after: 0).outcome
        else {
          Issue.record("A snapshot came instead.")
          return
        }
        #expect(replayed.events.map(\.header?.sequence) == [1, 2, 3])
        for _ in 0..<20 {
          try await gateway.unpublish(.camera, by: .ada)
          try await gateway.publish(.camera(600), by: .ada)
        }
        for (epoch, sequence) in [(epoch, 1), (epoch + 1, 63)] as [(UInt64, UInt64)] {
          let outcome = try await gateway.replay(epoch: epoch, after: sequence).outcome
          guard case .snapshot(let snapshot) = outcome else {
            Issue.record("Events came instead.")
            return
          }
          #expect(snapshot.sequence == 63)
          #expect(snapshot.receivers.count == 2)
          #expect(snapshot.sources.count == 1)
        }
      }
    }
  }

  @Test func `a request for a term other than the instance's term is refused`() async throws {
    try await withVideoTiles { tiles in
      try await tiles.withGateway { gateway in
        let term = try await gateway.join(.ada).term
        let stale = CallOptions(timeout: .seconds(30), term: term + 1)
        let error = await #expect(throws: Status.self) {
          try await gateway.join(V1.TileSession(.grace), options: stale)
        }
        #expect(error?.code == .aborted)
        #expect(error?.reason == .staleTerm)
        try await gateway.join(
          V1.TileSession(.grace), options: CallOptions(timeout: .seconds(30), term: term))
      }
    }
  }

  @Test func `the end of a meeting deletes the meeting's sources and ends media's watches`()
    async throws
  {
    try await withVideoTiles { tiles in
      try await tiles.withGateway { gateway in
        try await tiles.withMedia { media in
          try await gateway.join(.ada, publishing: .camera(600))
          await media.watch()
          try await media.view { $0.sources.count == 1 }
          for _ in 0..<2 {
            _ = try await gateway.call(
              V1.VideoTilesMethods.endMeeting, V1.EndMeetingRequest(meetingID: planning))
          }
          try await media.view(\.hasEnded)
          #expect(try await gateway.snapshot().sources.isEmpty)
          let error = await #expect(throws: Status.self) { try await gateway.join(.grace) }
          #expect(error?.sessionStatus == .audioCallEnded)
        }
      }
    }
  }

  @Test func `an instance name cannot be taken by a second process`() async throws {
    try await withVideoTiles { tiles in
      try await tiles.withGateway { gateway in try await gateway.join(.ada) }
      await #expect(throws: InstanceRegistryError.instanceIsTaken("video-tiles-a")) {
        try await tiles.running {}
      }
    }
  }
}
