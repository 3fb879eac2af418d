import MeetingModel
import TestSupport
import Testing
import Wire

@testable import Gateway

/// Tests of promotion and demotion in a gateway: the requests, their order, and the rollback.
@Suite(.timeLimit(.minutes(5))) struct PromoterTests {
  private static let full = Status(
    .resourceExhausted, "Full.", session: .audioCallAtCapacity, reason: .meetingFull)

  @Test func `for a promotion, the gateway asks presence first, then media and video-tiles`()
    async throws
  {
    try await withStage { _, stage in
      let reply = try await stage.promoter.promote(stage.paul, stage.session)
      #expect(reply.attendee?.attendeeID == stage.paul.attendeeID)
      #expect(reply.camera?.isAvailable == true)
      #expect(stage.told.first == "presence promote")
      #expect(
        Set(stage.told) == ["presence promote", "media promote", "video-tiles promote"])
      #expect(stage.session.actor.participantID == stage.paul.attendeeID)
      #expect(!stage.session.onlyWatches)

      // A repeated promotion causes no requests.
      _ = try await stage.promoter.promote(stage.paul, stage.session)
      #expect(stage.told.count == 3)
    }
  }

  @Test func `a demotion reaches all services`() async throws {
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

  @Test func `a demoted session counts as not promoted while another promotion is in progress`()
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

  @Test func `if presence refuses a promotion, no other service is asked`() async throws {
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

  @Test func `if media refuses a promotion, the whole promotion is revoked`() async throws {
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

  @Test func `if video-tiles refuses a promotion, the attendee can still speak`() async throws {
    try await withStage { _, stage in
      stage.answers["video-tiles promote"] = Status(.failedPrecondition, "Not on the board.")
      let reply = try await stage.promoter.promote(stage.paul, stage.session)
      #expect(reply.camera == nil)
      #expect(!stage.session.onlyWatches)
    }
  }

  @Test func `a promotion is revoked if the session is lost before presence answers`() async throws
  {
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

  @Test func `a promotion outside a replica is not permitted`() async throws {
    try await withStage { fixture, stage in
      let session = try fixture.opening(LocalLink())
      let status = await refusal { () async throws(Status) in
        _ = try await stage.promoter.promote(stage.paul, session)
      }
      #expect(status?.code == .permissionDenied)
      #expect(status?.sessionStatus == .audioAuthenticationRejected)
      #expect(stage.told.isEmpty)
    }
  }

  @Test func `a promotion is refused while another promotion is in progress`() async throws {
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

  @Test func `if the server ends a promotion, the end is reported once, with the reason`()
    async throws
  {
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

  @Test func `a promotion needs credentials of an attendee of the primary`() async throws {
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
