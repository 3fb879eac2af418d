import Bus
import MeetingModel
import Storage
import TestSupport
import Testing
import Wire
import ZeroMQ

@testable import Gateway

/// How a gateway promotes and demotes: whom it asks, in which order, and what it takes back.
@Suite(.timeLimit(.minutes(1))) struct PromoterTests {
  private static let full = Status(
    .resourceExhausted, "Full.", session: .audioCallAtCapacity, reason: .meetingFull)

  @Test func `presence decides, then media and video-tiles are told`() async throws {
    try await withStage { _, stage in
      let reply = try await stage.promoter.promote(stage.paul, stage.session)
      #expect(reply.attendee?.attendeeID == stage.paul.attendeeID)
      #expect(reply.camera?.isAvailable == true)
      #expect(stage.told.first == "presence promote")
      #expect(
        Set(stage.told) == ["presence promote", "media promote", "video-tiles promote"])
      #expect(stage.session.actor.participantID == stage.paul.attendeeID)
      #expect(!stage.session.onlyWatches)

      // A repeat asks nobody.
      _ = try await stage.promoter.promote(stage.paul, stage.session)
      #expect(stage.told.count == 3)
    }
  }

  @Test func `whoever is demoted is demoted everywhere`() async throws {
    try await withStage { _, stage in
      _ = try await stage.promoter.promote(stage.paul, stage.session)
      stage.told = []
      #expect(await stage.promoter.demote(stage.session))
      #expect(await !stage.promoter.demote(stage.session))
      try await eventually("all to have heard") {
        stage.told.sorted() == ["media demote", "presence demote", "video-tiles demote"]
      }
      #expect(stage.session.onlyWatches)
    }
  }

  @Test func `a demotion is told although another promotion has begun, which may fail`()
    async throws
  {
    try await withStage { fixture, stage in
      _ = try await stage.promoter.promote(stage.paul, stage.session)
      #expect(!fixture.context.sessions.isUnpromoted(stage.session.id))
      #expect(await stage.promoter.demote(stage.session))
      let attempt = stage.session.promotion.begin()
      #expect(fixture.context.sessions.isUnpromoted(stage.session.id))
      stage.session.promotion.fail(try #require(attempt))
    }
  }

  @Test func `presence that refuses is all that is asked`() async throws {
    try await withStage { _, stage in
      stage.answers["presence promote"] = Self.full
      let status = await refusal { () async throws(Status) in
        _ = try await stage.promoter.promote(stage.paul, stage.session)
      }
      #expect(status?.sessionStatus == .audioCallAtCapacity)
      #expect(stage.told == ["presence promote"])
      #expect(stage.session.onlyWatches)
      stage.answers = [:]
      _ = try await stage.promoter.promote(stage.paul, stage.session)
      #expect(!stage.session.onlyWatches)
    }
  }

  @Test func `media that refuses takes everything back`() async throws {
    try await withStage { _, stage in
      stage.answers["media promote"] = Status(.failedPrecondition, "Not in a replica.")
      let status = await refusal { () async throws(Status) in
        _ = try await stage.promoter.promote(stage.paul, stage.session)
      }
      #expect(status?.sessionStatus == .audioInternalServerError)
      try await eventually("all to have heard") {
        stage.told.filter { $0.hasSuffix("demote") }.sorted()
          == ["media demote", "presence demote", "video-tiles demote"]
      }
      #expect(stage.session.onlyWatches)
    }
  }

  @Test func `video-tiles that refuses keeps nobody from speaking`() async throws {
    try await withStage { _, stage in
      stage.answers["video-tiles promote"] = Status(.failedPrecondition, "Not on the board.")
      let reply = try await stage.promoter.promote(stage.paul, stage.session)
      #expect(reply.camera == nil)
      #expect(!stage.session.onlyWatches)
    }
  }

  @Test func `an attempt whose session is lost meanwhile is undone`() async throws {
    try await withStage { _, stage in
      let (promoter, session) = (stage.promoter, stage.session)
      stage.before["presence promote"] = { promoter.leave(session, as: .connectionLost) }
      let status = await refusal { () async throws(Status) in
        _ = try await promoter.promote(stage.paul, session)
      }
      #expect(status?.sessionStatus == .audioInternalServerError)
      try await eventually("presence to take the seat back") {
        stage.told == ["presence promote", "presence demote"]
      }
    }
  }

  @Test func `while an attempt is under way, another is refused`() async throws {
    try await withStage { _, stage in
      let begun = stage.session.promotion.begin()
      let attempt = try #require(begun)
      let status = await refusal { () async throws(Status) in
        _ = try await stage.promoter.promote(stage.paul, stage.session)
      }
      #expect(status?.code == .failedPrecondition)
      #expect(status?.sessionStatus == .audioInternalServerError)
      #expect(stage.told.isEmpty)
      stage.session.promotion.fail(attempt)
      _ = try await stage.promoter.promote(stage.paul, stage.session)
    }
  }

  @Test func `the server's end of a promotion is told once, with its reason`() async throws {
    for (reason, expected) in [
      (StatusReason.attendeeDeleted, SessionStatusCode.audioAuthenticationRejected),
      (.joinedElsewhere, .audioInternalServerError),
      (.demotedByOperator, .audioInternalServerError),
    ] {
      try await withStage { _, stage in
        _ = try await stage.promoter.promote(stage.paul, stage.session)
        let status = Status(.notFound, "Gone.", session: .audioServerHungup, reason: reason)
        stage.promoter.endedByPresence(stage.session, with: status)
        stage.promoter.endedByPresence(stage.session, with: status)
        _ = stage.link.flush()
        let told = stage.link.events.compactMap {
          if case .demotedFromPrimaryMeeting(let demoted) = $0 { demoted } else { nil }
        }
        #expect(told.map(\.attendee?.attendeeID) == [stage.paul.attendeeID])
        let heard = told.first?.status.flatMap { Status($0) }
        #expect(heard?.sessionStatus == expected)
        #expect(heard?.reason == reason)
      }
    }
  }

  @Test func `credentials must be of an attendee of the primary`() async throws {
    try await withStage { _, stage in
      var wrong = [stage.paul, stage.paul, stage.paul, stage.watcher]
      wrong[0].joinToken = "guessed"
      wrong[1].externalUserID = "somebody else"
      wrong[2].attendeeID += "#content"
      for request in wrong {
        let status = await refusal { () async throws(Status) in
          _ = try await stage.promoter.promote(request, stage.session)
        }
        #expect(status?.sessionStatus == .audioAuthenticationRejected)
      }
      #expect(stage.told.isEmpty)
    }
  }
}

/// A session of a replica, whose primary's owners a test answers for.
private final class Stage {
  let promoter: Promoter
  let session: Session
  let link: LocalLink

  /// An attendee of the primary.
  let paul: V1.PromoteToPrimaryMeetingRequest

  /// The attendee of the replica itself.
  let watcher: V1.PromoteToPrimaryMeetingRequest

  /// What the owners were told, in order: service and method.
  var told: [String] = []

  /// What they refuse, and with what.
  var answers: [String: Status] = [:]

  /// What happens before an owner answers.
  var before: [String: () -> Void] = [:]

  init(
    _ promoter: Promoter, _ session: Session, _ link: LocalLink,
    _ paul: V1.PromoteToPrimaryMeetingRequest, _ watcher: V1.PromoteToPrimaryMeetingRequest
  ) {
    (self.promoter, self.session, self.link) = (promoter, session, link)
    (self.paul, self.watcher) = (paul, watcher)
  }

  func hear<Reply>(_ what: String, _ call: Call<Reply>, _ reply: Reply) {
    told.append(what)
    before[what]?()
    before[what] = nil
    if let status = answers[what] { call.fail(status) } else { call.reply(reply) }
  }
}

/// Runs a test beside an instance of each service that hears of promotions.
private func withStage(
  _ body: @Sendable (isolated KeeperFixture, Stage) async throws -> Void
) async throws {
  try await withKeeper { fixture in
    let context = fixture.context
    let (roster, tiles) = (RosterPart(in: context), TilesPart(in: context))
    let media = MediaPart(in: context)
    let promoter = Promoter(
      roster, tiles, media, MessagesPart(in: context), TranscriptsPart(in: context), in: context)
    let stage = try await fixture.stage(promoter)
    let registry = RuntimeDirectoryRegistry(runtimeDirectory: fixture.directory)
    var servers: [RequestServer] = []
    var registrations: [any Registration] = []
    for following in [roster.following, tiles.following, media.following] {
      let name = following.id.name
      let requests = try Endpoint.ipc("\(fixture.directory)/\(name).sock")
      let server = try RequestServer(at: [requests], in: fixture.sockets, on: fixture.thread)
      server.answer(for: name, on: stage)
      servers.append(server)
      registrations.append(
        try registry.register(
          InstanceAnnouncement(
            service: name, instance: "\(name)-a",
            endpoints: [
              "rpc": requests.text, "events": "ipc://\(fixture.directory)/\(name)-e.sock",
            ])))
      try following.refresh(with: registry.instances(of: name))
    }
    let result: Result<Void, any Error>
    do { result = .success(try await body(fixture, stage)) } catch { result = .failure(error) }
    for following in [roster.following, tiles.following, media.following] { following.close() }
    for server in servers { server.close() }
    for registration in registrations { registration.withdraw() }
    try result.get()
  }
}

extension RequestServer {
  /// Answers as one service what promotions ask of it.
  fileprivate func answer(for service: String, on stage: Stage) {
    switch service {
    case "presence":
      on(V1.PresenceMethods.promote) {
        stage.hear("presence promote", $1, V1.PromoteReply(term: 1))
      }
      on(V1.PresenceMethods.demote) { stage.hear("presence demote", $1, V1.DemoteReply()) }
    case "media":
      on(V1.MediaMethods.promote) { stage.hear("media promote", $1, V1.PromoteMediaReply(term: 1)) }
      on(V1.MediaMethods.demote) { stage.hear("media demote", $1, V1.DemoteReply()) }
    default:
      let camera = V1.CameraAvailabilityChanged(status: .ok, isAvailable: true)
      on(V1.VideoTilesMethods.promote) {
        stage.hear("video-tiles promote", $1, V1.PromoteTilesReply(camera: camera))
      }
      on(V1.VideoTilesMethods.demote) { stage.hear("video-tiles demote", $1, V1.DemoteReply()) }
    }
  }
}

extension KeeperFixture {
  /// An open session in a replica, and an attendee of its primary, as the store has them.
  fileprivate func stage(_ promoter: Promoter) async throws -> Stage {
    let primary = try await makeMeeting("primary")
    let replica = try await makeMeeting("replica", primary: primary.id)
    let paul = try await makeAttendee("paul", in: primary)
    let watcher = try await makeAttendee("watcher", in: replica)
    let link = LocalLink()
    let session = try await session(link, in: replica)
    return Stage(promoter, session, link, paul.credentials, watcher.credentials)
  }

  private func makeMeeting(_ name: String, primary: MeetingID? = nil) async throws -> Meeting {
    let request = MeetingRequest(
      token: try ClientRequestToken(name), fingerprint: RequestFingerprint(of: Array(name.utf8)),
      externalID: try ExternalMeetingID(name), region: try MediaRegion("us-east-1"),
      primaryID: primary, placementBase: "http://gateway.test")
    return try await context.store.createMeeting(request, at: 0).meeting
  }

  private func makeAttendee(_ name: String, in meeting: Meeting) async throws -> IssuedAttendee {
    let request = AttendeeRequest(externalUserID: try ExternalUserID(name))
    return try await context.store.createAttendee(request, in: meeting.id, at: 0)
  }
}

extension IssuedAttendee {
  fileprivate var credentials: V1.PromoteToPrimaryMeetingRequest {
    V1.PromoteToPrimaryMeetingRequest(
      attendeeID: attendee.id.text, externalUserID: attendee.externalUserID.text,
      joinToken: joinToken.text)
  }
}
