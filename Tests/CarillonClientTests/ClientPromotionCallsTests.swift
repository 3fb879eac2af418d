import ClientTestSupport
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import CarillonClientCore

/// Tests of promotion over real sockets: the requests to the gateway, and the effect on video.
@Suite(.timeLimit(.minutes(5))) struct ClientPromotionCallsTests {
  private let eve = MeetingSessionCredentials(
    attendeeId: "eve", externalUserId: "user eve", joinToken: "eve's secret")

  /// Joins a replica as an attendee who only watches.
  private func join(
    _ body: @escaping @Sendable (ConnectedClient, Recorder, ScriptedGateway) async throws -> Void
  ) async throws {
    try await withScriptedGateway { gateway in
      gateway.onStart = { request, count in
        var started = V1.SessionStarted.opened(count, resuming: !request.sessionID.isEmpty)
        started.primaryMeetingID = "primary"
        return started
      }
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      gateway.say(.tileBoardSnapshot(watching))
      try await client.sees("started videoAtCapacityViewOnly")
      try await body(client, Recorder(), gateway)
      let count = client.heard.entries.count { $0 == "stopped ok" }
      client.audioVideo.stop()
      try await client.hears("stopped ok", times: count + 1)
    }
  }

  private func promote(_ client: ConnectedClient, _ observer: Recorder) {
    client.audioVideo.promoteToPrimaryMeeting(credentials: eve, observer: observer)
  }

  private func hears(_ observer: Recorder, _ lines: [String]) async throws {
    try await eventually("\(lines)") { await observer.lines() == lines }
  }

  private let watching = V1.TileBoardSnapshot.board(
    status: .videoAtCapacityViewOnly, isAvailable: false)

  @Test func `a promotion sends the credentials to the gateway and permits video`() async throws {
    try await join { client, observer, gateway in
      promote(client, observer)
      try await hears(observer, ["promoted ok"])
      let request = try #require(gateway.promotions.entries.first)
      #expect((request.attendeeID, request.externalUserID) == ("eve", "user eve"))
      #expect(request.joinToken == "eve's secret")
      try await client.sees("started ok")
      try await client.sees("camera true")
      let source = ScriptedSource()
      client.audioVideo.startLocalVideo(source: source)
      try await eventually("the local tile") {
        source.give(.blank())
        return client.seen.entries.contains("add 9 eve")
      }
      client.audioVideo.demoteFromPrimaryMeeting()
      try await hears(observer, ["promoted ok", "demoted ok"])
      try await gateway.demotions.wait(for: "the demotion") { $0.count == 1 }
      try await client.sees("started videoAtCapacityViewOnly", times: 2)
      try await client.sees("remove 9")
      try await eventually("the source is let go") { source.sinkCount == 0 }
    }
  }

  @Test func `the publication of one promoted attendee ends when another attendee is promoted`()
    async throws
  {
    try await join { client, observer, gateway in
      promote(client, observer)
      try await hears(observer, ["promoted ok"])
      let source = ScriptedSource()
      client.audioVideo.startLocalVideo(source: source)
      _ = try await gateway.video.asked(1)
      promote(client, observer)
      try await hears(observer, ["promoted ok", "promoted ok"])
      #expect(source.sinkCount == 1)
      client.audioVideo.promoteToPrimaryMeeting(
        credentials: MeetingSessionCredentials(
          attendeeId: "mia", externalUserId: "user mia", joinToken: ""), observer: observer)
      try await hears(observer, ["promoted ok", "promoted ok", "promoted ok"])
      try await eventually("the source is let go") { source.sinkCount == 0 }
      #expect(gateway.demotions.entries.isEmpty)
    }
  }

  @Test func `a promotion permits no camera if all cameras of the primary meeting are in use`()
    async throws
  {
    try await join { client, observer, gateway in
      gateway.onPromote = { request in
        .success(.promoted(as: request.attendeeID, camera: .videoAtCapacityViewOnly))
      }
      promote(client, observer)
      try await hears(observer, ["promoted ok"])
      client.audioVideo.demoteFromPrimaryMeeting()
      try await hears(observer, ["promoted ok", "demoted ok"])
      #expect(client.seen.entries.count { $0.hasPrefix("started") } == 1)
    }
  }

  @Test(arguments: [
    (SessionStatusCode.audioAuthenticationRejected, "audioAuthenticationRejected"),
    (.audioCallAtCapacity, "audioCallAtCapacity"),
    (.audioServiceUnavailable, "audioServiceUnavailable"),
    (.audioInternalServerError, "audioInternalServerError"),
    (.unknown, "audioInternalServerError"),
  ])
  func `a refused promotion reports the reason`(status: SessionStatusCode, heard: String)
    async throws
  {
    try await join { client, observer, gateway in
      gateway.onPromote = { _ in .failure(Status(.failedPrecondition, "No.", session: status)) }
      promote(client, observer)
      try await hears(observer, ["promoted \(heard)"])
      #expect(gateway.demotions.entries.isEmpty)
    }
  }

  @Test func `a promotion that fails as unavailable is followed by a demotion`() async throws {
    try await join { client, observer, gateway in
      gateway.onPromote = { _ in .failure(Status(.unavailable, "Gone.")) }
      promote(client, observer)
      try await hears(observer, ["promoted audioInternalServerError"])
      try await gateway.demotions.wait(for: "a demotion") { $0.count == 1 }
    }
  }

  @Test func `if the server ends a promotion, the attendee's publications end too`() async throws {
    try await join { client, observer, gateway in
      promote(client, observer)
      try await hears(observer, ["promoted ok"])
      let source = ScriptedSource()
      client.audioVideo.startLocalVideo(source: source)
      _ = try await gateway.video.asked(1)
      gateway.say(ended(as: "mia", .audioInternalServerError))
      gateway.say(ended(as: "eve", .audioAuthenticationRejected))
      gateway.say(ended(as: "eve", .audioAuthenticationRejected))
      try await hears(observer, ["promoted ok", "demoted audioAuthenticationRejected"])
      try await eventually("the source is let go") { source.sinkCount == 0 }
      try await client.sees("started videoAtCapacityViewOnly", times: 2)
      #expect(gateway.demotions.entries.isEmpty)
    }
  }

  private func ended(
    as attendeeID: String, _ status: SessionStatusCode
  ) -> V1.SessionEvent.Event {
    .demotedFromPrimaryMeeting(
      V1.DemotedFromPrimaryMeeting(
        status: V1.Status(Status(.aborted, "Over.", session: status)),
        attendee: .init(attendeeID: attendeeID, externalUserID: "user " + attendeeID)))
  }

  @Test func `after a lost connection, the attendee is demoted and nothing is published again`()
    async throws
  {
    try await join { client, observer, gateway in
      promote(client, observer)
      try await hears(observer, ["promoted ok"])
      client.audioVideo.startLocalVideo(source: ScriptedSource())
      _ = try await gateway.video.asked(1)
      gateway.relay.set(.cut)
      try await client.hears("dropped")
      promote(client, observer)
      try await hears(observer, ["promoted ok", "promoted audioServiceUnavailable"])
      gateway.relay.set(.open)
      try await client.hears("started true")
      try await hears(
        observer,
        ["promoted ok", "promoted audioServiceUnavailable", "demoted audioInternalServerError"])
      #expect(gateway.starts.entries.last?.video?.published.isEmpty == true)
      #expect(gateway.demotions.entries.isEmpty)
      gateway.say(.tileBoardSnapshot(watching))
      try await client.sees("started videoAtCapacityViewOnly", times: 2)
      promote(client, observer)
      try await client.sees("started ok", times: 2)
    }
  }

  @Test
  func `each promotion request is answered once, even if a lost connection interrupts the request`()
    async throws
  {
    try await join { client, observer, gateway in
      gateway.onPromote = { _ in nil }
      promote(client, observer)
      try await gateway.promotions.wait(for: "the call") { $0.count == 1 }
      promote(client, observer)
      gateway.relay.set(.cut)
      try await client.hears("dropped")
      gateway.relay.set(.open)
      try await client.hears("started true")
      try await hears(
        observer, ["promoted audioInternalServerError", "promoted audioInternalServerError"])
      #expect(gateway.promotions.entries.count == 1)
    }
  }

  @Test func `a message that is refused before a promotion is not reported to observers`()
    async throws
  {
    try await join { client, observer, gateway in
      gateway.onSend = { _, count in
        count == 0 ? .fail(Status(.failedPrecondition, "Only watching.")) : .accept
      }
      try client.send("lost")
      promote(client, observer)
      try await hears(observer, ["promoted ok"])
      try client.send("heard")
      try await gateway.sent.wait(for: "both") { $0.map(\.text) == ["lost", "heard"] }
      #expect(client.messages.entries.isEmpty)
    }
  }

  @Test func `a throttled message is returned under the promoted attendee's id`() async throws {
    try await join { client, observer, gateway in
      gateway.onSend = { _, _ in .throttle(afterMs: 10) }
      promote(client, observer)
      try await hears(observer, ["promoted ok"])
      try client.send("too much")
      _ = try await client.texts(1)
      let message = try #require(client.messages.entries.first)
      #expect((message.senderAttendeeId, message.throttled) == ("eve", true))
    }
  }

  // MARK: The own attendee

  @Test func `a promoted attendee's own videos do not count as remote videos until the demotion`()
    async throws
  {
    try await join { client, observer, gateway in
      promote(client, observer)
      try await hears(observer, ["promoted ok"])
      gateway.say(
        .videoSourcesChanged(
          .init(available: [.of("eve#content", 9), .of("eve", 8), .of("cy", 2)])))
      try await client.sees("available cy")
      client.audioVideo.demoteFromPrimaryMeeting()
      try await hears(observer, ["promoted ok", "demoted ok"])
      try await gateway.demotions.wait(for: "the demotion") { $0.count == 1 }
      gateway.say(.videoSourcesChanged(.init(available: [.of("eve", 10)])))
      try await client.sees("available eve")
    }
  }

  @Test func `an operator's mute applies only to the identity under which the attendee speaks`()
    async throws
  {
    try await join { client, observer, gateway in
      gateway.say(mute("ada", isMutedByOperator: true))
      try await eventually("ada is held") { !client.audioVideo.realtimeLocalUnmute() }
      promote(client, observer)
      try await hears(observer, ["promoted ok"])
      #expect(client.audioVideo.realtimeLocalUnmute())
      gateway.say(mute("eve", isMutedByOperator: true))
      try await eventually("eve is held") { !client.audioVideo.realtimeLocalUnmute() }
    }
  }

  private func mute(_ id: String, isMutedByOperator: Bool) -> V1.SessionEvent.Event {
    .muteChanged(
      V1.MuteChanged(changes: [
        .init(attendeeID: id, isMuted: isMutedByOperator, isMutedByOperator: isMutedByOperator)
      ]))
  }
}
