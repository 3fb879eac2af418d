import Bus
import MeetingModel
import OwnerTestSupport
import Testing
import Wire

@testable import VideoTiles

/// Tests of impossible values and missing objects.
@Suite(.timeLimit(.minutes(5))) struct VideoTilesInputTests {
  private let planning = MeetingID.planning.text

  private func withMeeting(
    _ body: @escaping @Sendable (TestGateway) async throws -> Void
  ) async throws {
    try await withVideoTiles { tiles in
      try await tiles.withGateway { gateway in
        try await gateway.join(.ada, publishing: .camera(600))
        try await gateway.join(.grace, publishing: .camera(600))
        let before = try await gateway.snapshot()
        try await body(gateway)
        #expect(try await gateway.snapshot() == before)
      }
    }
  }

  private func expectRefusal(
    _ code: StatusCode, _ body: () async throws -> Void,
    _ location: SourceLocation = #_sourceLocation
  ) async {
    let error = await #expect(throws: Status.self, sourceLocation: location) { try await body() }
    #expect(error?.code == code, sourceLocation: location)
  }

  @Test func `invalid sessions are refused and change no sources or tiles`() async throws {
    try await withMeeting { gateway in
      let session = V1.TileSession(.edsger)
      var wrong = Array(repeating: session, count: 13)
      wrong[0].meetingID = String(repeating: "x", count: 10_000)
      wrong[1].participantID += "#camera"
      wrong[2].externalUserID = "e"
      wrong[3].sessionID = [1, 2, 3]
      wrong[4].replicaMeetingID = "none"
      wrong[5].capabilities = V1.Capabilities(video: .none, content: .receive)
      wrong[6].promotedAs = V1.AttendeeInfo(
        attendeeID: Person.barbara.participant.text, externalUserID: "barbara")
      wrong[7].choices?.published = [.camera(600), .camera(600)]
      wrong[8].choices?.published = [.camera(600, 150)]
      wrong[9].choices?.published = [V1.PublishedVideo()]
      wrong[10].choices?.pausedTileIDs = Array(1...1_001)
      wrong[11].choices?.subscriptions = V1.VideoSubscriptions(
        subscriptions: [V1.VideoSubscription(participantID: "somebody")])
      wrong[12].sessionID = Person.ada.session().bytes
      var requests = wrong.map { V1.JoinTilesRequest(session: $0, gateway: gateway.name) }
      requests.append(V1.JoinTilesRequest(session: session, gateway: "a gateway"))
      requests.append(V1.JoinTilesRequest(gateway: gateway.name))
      for request in requests {
        await expectRefusal(.invalidArgument) {
          _ = try await gateway.call(V1.VideoTilesMethods.join, request)
        }
      }
    }
  }

  @Test func `invalid sources are refused`() async throws {
    try await withMeeting { gateway in
      let camera = V1.PublishedVideo.camera(150, 600, 1_200)
      var wrong = Array(repeating: camera, count: 8)
      wrong[0].kind = .unrecognized(9)
      wrong[1].layers.reverse()
      wrong[2].layers.append(camera.layers[2])
      wrong[3].layers = []
      wrong[4].layers[1].codec = .h264
      wrong[5].layers[0].codec = .unspecified
      wrong[6].layers[0].width = .max
      wrong[7].kind = .content
      for video in wrong + [.content] {
        await expectRefusal(.invalidArgument) { try await gateway.publish(video, by: .ada) }
      }
      await expectRefusal(.invalidArgument) {
        _ = try await gateway.call(
          V1.VideoTilesMethods.publishVideo,
          V1.PublishVideoRequest(meetingID: planning, sessionID: Person.ada.session().bytes))
      }
      await expectRefusal(.invalidArgument) {
        try await gateway.unpublish(.unspecified, by: .ada)
      }
    }
  }

  @Test func `invalid subscriptions are refused`() async throws {
    try await withMeeting { gateway in
      let negative = V1.VideoPriority.unrecognized(-10)
      await expectRefusal(.invalidArgument) {
        try await gateway.subscribe(.ada, to: [.grace: negative])
      }
      let ids = (0..<1_001).map { _ in AttendeeID.random().text }
      var request = V1.UpdateVideoSubscriptionsRequest(
        meetingID: planning, sessionID: Person.ada.session().bytes,
        addedOrUpdated: ids.map { V1.VideoSubscription(participantID: $0) })
      await expectRefusal(.invalidArgument) {
        _ = try await gateway.call(V1.VideoTilesMethods.updateVideoSubscriptions, request)
      }
      request.addedOrUpdated = []
      request.removed = ids
      await expectRefusal(.invalidArgument) {
        _ = try await gateway.call(V1.VideoTilesMethods.updateVideoSubscriptions, request)
      }
      request.removed = []
      request.addedOrUpdated = [
        V1.VideoSubscription(participantID: Person.grace.participant.text, targetWidth: 640)
      ]
      await expectRefusal(.invalidArgument) {
        _ = try await gateway.call(V1.VideoTilesMethods.updateVideoSubscriptions, request)
      }
    }
  }

  @Test func `subscriptions to a thousand unknown sources are ignored`() async throws {
    try await withVideoTiles { tiles in
      try await tiles.withGateway { gateway in
        try await gateway.join(.grace, publishing: .camera(600))
        try await gateway.join(.ada)
        let wanted =
          (0..<999).map { _ in AttendeeID.random().text } + [Person.grace.participant.text]
        let reply = try await gateway.call(
          V1.VideoTilesMethods.updateVideoSubscriptions,
          V1.UpdateVideoSubscriptionsRequest(
            meetingID: planning, sessionID: Person.ada.session().bytes,
            addedOrUpdated: wanted.map { V1.VideoSubscription(participantID: $0) }))
        #expect(
          reply.subscriptions?.subscriptions == [
            V1.VideoSubscription(
              participantID: Person.grace.participant.text, priority: .high, targetWidth: 960,
              targetHeight: 720)
          ])
      }
    }
  }

  @Test func `unknown tiles and a publisher's own tile cannot be paused`() async throws {
    try await withMeeting { gateway in
      for tile in [0, 9, .max] as [UInt32] {
        await expectRefusal(.notFound) { try await gateway.pause(tile, of: .ada) }
      }
      await expectRefusal(.invalidArgument) { try await gateway.pause(1, of: .ada) }
    }
  }

  @Test func `requests change nothing if their session has left`() async throws {
    try await withMeeting { gateway in
      try await gateway.join(.edsger)
      try await gateway.leave(.edsger)
      try await gateway.leave(.edsger)
      try await gateway.detach(.edsger)
      try await gateway.unpublish(.camera, by: .edsger)
      await expectRefusal(.notFound) { try await gateway.publish(.camera(600), by: .edsger) }
      await expectRefusal(.notFound) { try await gateway.subscribe(.edsger, to: [:]) }
      await expectRefusal(.notFound) { try await gateway.pause(1, of: .edsger) }
      await expectRefusal(.notFound) {
        _ = try await gateway.call(
          V1.VideoTilesMethods.setRemoteVideo,
          V1.SetRemoteVideoRequest(
            meetingID: MeetingID.review.text, sessionID: Person.ada.session().bytes,
            isReceiving: true))
      }
    }
  }

  @Test
  func `invalid entries in reports are ignored, but reports of invalid meetings are refused`()
    async throws
  {
    try await withMeeting { gateway in
      for meeting in [MeetingID.planning, .review] {
        _ = try await gateway.call(
          V1.VideoTilesMethods.reportDownlink,
          V1.ReportDownlinkRequest(
            meetingID: meeting.text,
            receivers: [
              V1.ReceiverDownlink(sessionID: [1]),
              V1.ReceiverDownlink(sessionID: Person.edsger.session().bytes),
            ]))
        _ = try await gateway.call(
          V1.VideoTilesMethods.reportTracks,
          V1.ReportTracksRequest(
            meetingID: meeting.text,
            tracks: [
              V1.TrackState(tileID: 0, layer: 1), V1.TrackState(tileID: 9, layer: 1),
              V1.TrackState(tileID: 1, layer: 0), V1.TrackState(tileID: 1, layer: .max),
            ]))
      }
      await expectRefusal(.invalidArgument) {
        _ = try await gateway.call(
          V1.VideoTilesMethods.reportDownlink, V1.ReportDownlinkRequest(meetingID: "planning"))
      }
      await expectRefusal(.invalidArgument) {
        _ = try await gateway.call(
          V1.VideoTilesMethods.reportTracks, V1.ReportTracksRequest(meetingID: "planning"))
      }
    }
  }
}
