import MeetingModel
import Storage
import Synchronization
import Testing
import Wire

@testable import Gateway

/// Tests of the operations on meetings that operators have in addition to the published interface.
@Suite struct ExtendedOperationTests {
  @Test func `meetings are listed page by page`() async throws {
    try await withControl { fixture in
      let face = fixture.face
      let first = try await face.makeMeeting("token-1")
      let second = try await face.makeMeeting("token-2", with: #""PrimaryMeetingId":"\#(first)""#)
      _ = try await face.makeAttendee("ada", in: first)
      let page = await face.send("GET", "/carillon/v1/meetings?max-results=1")
      #expect(page.status == 200)
      let meeting = try #require(page.body["Meetings"].elements.first)
      #expect(meeting["MeetingId"].string == first)
      #expect(meeting["AttendeeCount"] == .integer(1))
      #expect(meeting["Locked"] == .bool(false))
      #expect(meeting["CreatedAt"].string == "1970-01-01T00:16:40.000Z")
      let next = page.body["NextToken"].string
      let rest = await face.send("GET", "/carillon/v1/meetings?max-results=1&next-token=\(next)")
      #expect(rest.body["Meetings"].elements.map { $0["MeetingId"].string } == [second])
      #expect(rest.body["Meetings"].elements.map { $0["PrimaryMeetingId"].string } == [first])
      #expect(rest.body["NextToken"] == .null)
    }
  }

  @Test(arguments: [
    "max-results=0", "max-results=101", "max-results=x", "next-token=1", "next-token=",
    "next-token=a&next-token=b",
  ])
  func `an invalid page size or page token is refused`(query: String) async throws {
    try await withControl { fixture in
      let answer = await fixture.face.send("GET", "/carillon/v1/meetings?\(query)")
      #expect(answer.error == "BadRequestException")
    }
  }

  @Test func `a roster shows attendees who are present, share content or were removed`()
    async throws
  {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      let ada = try await fixture.makeAttendee("ada", in: meeting)
      let ben = try await fixture.makeAttendee("ben", in: meeting)
      fixture.effects.state.withLock { $0.rosters[meeting] = [ada] }
      _ = await fixture.face.send(
        "POST", "/carillon/v1/meetings/\(meeting.text)/attendees/\(ben.text)/kick")
      let answer = await fixture.face.send("GET", "/carillon/v1/meetings/\(meeting.text)/roster")
      let there = answer.body["Attendees"].elements
      #expect(there.map { $0["AttendeeId"].string } == [ada.text])
      #expect(there.map { $0["SharesContent"] } == [.bool(true)])
      let away = answer.body["Barred"].elements.map { $0["ExternalUserId"].string }
      #expect(away == ["ben"])
    }
  }

  @Test
  func `the list of received video has each tile, the tile's layer and the reason for this layer`()
    async throws
  {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      let ada = try await fixture.makeAttendee("ada", in: meeting)
      let ben = try await fixture.makeAttendee("ben", in: meeting)
      let path = "/carillon/v1/meetings/\(meeting.text)/attendees/\(ben.text)/received-video"
      #expect(await fixture.face.send("GET", path).body["Tiles"].elements.isEmpty)
      fixture.effects.state.withLock { $0.decisions[meeting] = Self.decision(from: ada, to: ben) }
      let answer = await fixture.face.send("GET", path)
      #expect(answer.body["DownlinkBitsPerSecond"] == .integer(800_000))
      let tiles = answer.body["Tiles"].elements
      #expect(tiles.map { $0["TileId"] } == [.integer(1), .integer(2)])
      #expect(tiles.map { $0["AttendeeId"].string } == [ada.text, ada.text])
      #expect(tiles.map { $0["Kind"].string } == ["Camera", "Content"])
      #expect(tiles.map { $0["Reason"].string } == ["Lowered", "PausedForBandwidth"])
      #expect(tiles.map { $0["Layer"] } == [.integer(1), .integer(0)])
      #expect(tiles.map { $0["LayerCount"] } == [.integer(2), .integer(1)])
      #expect(tiles[0]["Width"] == .integer(320) && tiles[0]["BitsPerSecond"] == .integer(150_000))
      #expect(tiles[1]["Width"] == .null)
      let unknown = path.replacing(ben.text, with: AttendeeID.random().text)
      #expect(await fixture.face.send("GET", unknown).status == 404)
    }
  }

  private static func decision(
    from publisher: AttendeeID, to receiver: AttendeeID
  ) -> V1.ForwardingUpdate {
    func layer(_ width: UInt32) -> V1.VideoLayer {
      V1.VideoLayer(width: width, height: width * 9 / 16, bitsPerSecond: 150_000, codec: .vp8)
    }
    func source(
      _ id: UInt32, _ participant: String, _ kind: V1.VideoSourceKind, _ layers: [V1.VideoLayer]
    ) -> V1.VideoSource {
      V1.VideoSource(
        tileID: id,
        attendee: V1.AttendeeInfo(attendeeID: participant, externalUserID: "somebody"),
        kind: kind, layers: layers)
    }
    return V1.ForwardingUpdate(
      sequence: 1, isComplete: true,
      sources: [
        source(2, "\(publisher.text)#content", .content, [layer(1_280)]),
        source(1, publisher.text, .camera, [layer(320), layer(640)]),
      ],
      receivers: [
        V1.ReceiverDecision(
          sessionID: SessionID.random().bytes, participantID: receiver.text,
          forwardings: [
            V1.Forwarding(tileID: 2, layer: 0, reason: .pausedForBandwidth),
            V1.Forwarding(tileID: 1, layer: 1, reason: .lowered, bitsPerSecond: 150_000),
          ], downlinkBitsPerSecond: 800_000)
      ])
  }

  @Test
  func `a mute, a kick and a lock are stored and reported, and can be reversed`() async throws {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      let ada = try await fixture.makeAttendee("ada", in: meeting)
      let path = "/carillon/v1/meetings/\(meeting.text)"
      let face = fixture.face
      let answers = [
        await face.send("PUT", "\(path)/attendees/\(ada.text)/mute", #"{"Muted":true}"#),
        await face.send("POST", "\(path)/attendees/\(ada.text)/kick"),
        await face.send("PUT", "\(path)/lock", #"{"Locked":true}"#),
      ]
      #expect(answers.map(\.status) == [204, 204, 204])
      let stored = try await fixture.store.attendee(ada, in: meeting).attendee
      #expect(stored.isMutedByOperator && stored.isBarred)
      #expect(try await fixture.store.meeting(meeting).isLocked)
      _ = await face.send("PUT", "\(path)/attendees/\(ada.text)/mute", #"{"Muted":false}"#)
      _ = await face.send("POST", "\(path)/attendees/\(ada.text)/allow")
      _ = await face.send("PUT", "\(path)/lock", #"{"Locked":false}"#)
      #expect(
        fixture.effects.told == [
          .muted(true, ada), .barred(true, ada), .locked(true, meeting), .muted(false, ada),
          .barred(false, ada), .locked(false, meeting),
        ])
      #expect(try await !fixture.store.attendee(ada, in: meeting).attendee.isBarred)
      #expect(try await !fixture.store.meeting(meeting).isLocked)
    }
  }

  @Test func `invalid mutes, kicks and locks are refused, and nothing is reported`() async throws {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      let ada = try await fixture.makeAttendee("ada", in: meeting)
      let path = "/carillon/v1/meetings/\(meeting.text)"
      let nobody = MeetingID.random().text
      let face = fixture.face
      let refused = [
        await face.send("PUT", "\(path)/attendees/\(ada.text)/mute", #"{"Muted":1}"#),
        await face.send("PUT", "\(path)/attendees/\(ada.text)/mute", "{}"),
        await face.send("PUT", "\(path)/lock", #"{"Locked":null}"#),
        await face.send("PUT", "\(path)/lock"),
        await face.send("POST", "\(path)/attendees/\(nobody)/kick"),
        await face.send("POST", "\(path)/attendees/x/kick"),
        await face.send("PUT", "/carillon/v1/meetings/\(nobody)/lock", #"{"Locked":true}"#),
      ].map(\.error)
      #expect(
        refused == [
          "BadRequestException", "BadRequestException", "BadRequestException",
          "SerializationException", "NotFoundException", "BadRequestException", "NotFoundException",
        ])
      #expect(fixture.effects.told.isEmpty)
    }
  }

  @Test func `the kept messages of a meeting are listed`() async throws {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      let now = UInt64(fixture.control.settings.now())
      let events = (1...3).map { number in
        let message = V1.DataMessage(
          sequence: UInt64(number), topic: "chat", data: Array("hi \(number)".utf8),
          sender: V1.AttendeeInfo(attendeeID: "a", externalUserID: "ada"), timestampMs: now,
          lifetimeMs: 60_000, messageID: "m\(number)")
        return V1.PackedEvent(
          header: V1.EventHeader(),
          body: V1.SessionEvents(events: [V1.SessionEvent(event: .dataMessage(message))]).packed())
      }
      fixture.effects.state.withLock {
        $0.messages[meeting] = V1.MessageReplay(throughSequence: 3, events: events)
      }
      let path = "/carillon/v1/meetings/\(meeting.text)/messages"
      let page = await fixture.face.send("GET", "\(path)?max-results=2")
      #expect(page.body["Messages"].elements.map { $0["Text"].string } == ["hi 1", "hi 2"])
      #expect(page.body["Messages"].elements.map { $0["Data"].string } == ["aGkgMQ==", "aGkgMg=="])
      #expect(!page.body["NextToken"].string.isEmpty)
      let whole = await fixture.face.send("GET", path)
      #expect(whole.body["NextToken"] == .null)
    }
  }

  @Test func `the limits and the services of the installation can be requested`() async throws {
    try await withControl { fixture in
      _ = try await fixture.makeMeeting()
      let limits = await fixture.face.send("GET", "/carillon/v1/limits")
      #expect(limits.body["Limits", "MaxAttendees"] == .integer(250))
      let services = await fixture.face.send("GET", "/carillon/v1/services")
      #expect(services.body["MeetingCount"] == .integer(1))
      #expect(services.body["Instances"].elements.map { $0["Ready"] } == [.bool(true)])
    }
  }

  @Test func `repeated registration of the same webhook keeps one receiver`()
    async throws
  {
    try await withControl { fixture in
      let path = "/carillon/v1/webhooks"
      let body = #"{"Url":"https://app.example/events"}"#
      let made = await fixture.face.send("POST", path, body)
      #expect(made.status == 200 && made.body["Secret"].string.hasPrefix("whsec_"))
      for _ in 0..<20 {
        let again = await fixture.face.send("POST", path, body)
        #expect(again.status == 200)
        #expect(again.body == .object(["Webhook": made.body["Webhook"]]))
      }
      let other = #"{"Url":"https://app.example/events","Enabled":false}"#
      let refused = await fixture.face.send("POST", path, other)
      #expect(refused.status == 409 && refused.error == "ConflictException")
      let listed = await fixture.face.send("GET", path)
      #expect(listed.body["Webhooks"] == .array([made.body["Webhook"]]))
    }
  }

  @Test func `a tenant's key gives access to the tenant's meetings, but not to the installation`()
    async throws
  {
    try await withControl { fixture in
      let theirs = try await fixture.face.makeMeeting("token-1")
      let own = try await fixture.face.makeMeeting("token-2", with: #""TenantIds":["blue"]"#)
      let face = fixture.face(Tenant(caller: Caller(role: .all, tenant: try TenantID("blue"))))
      let listed = await face.send("GET", "/carillon/v1/meetings")
      #expect(listed.body["Meetings"].elements.map { $0["MeetingId"].string } == [own])
      for path in [
        "/carillon/v1/meetings/\(theirs)/roster", "/carillon/v1/meetings/\(theirs)/attendance",
        "/carillon/v1/meetings/\(theirs)/events", "/carillon/v1/services", "/carillon/v1/webhooks",
      ] {
        #expect(await face.send("GET", path).error == "ForbiddenException")
      }
      let erased = await face.send("POST", "/carillon/v1/erase", #"{"ExternalUserId":"ada"}"#)
      #expect(erased.error == "ForbiddenException")
      #expect(await face.send("GET", "/carillon/v1/meetings/\(own)/events").status == 200)
    }
  }

  @Test func `a read-only key cannot change anything`() async throws {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      let face = fixture.face(Tenant(caller: Caller(role: .readOnly, tenant: nil)))
      #expect(await face.send("GET", "/carillon/v1/meetings").status == 200)
      let lock = await face.send(
        "PUT", "/carillon/v1/meetings/\(meeting.text)/lock", #"{"Locked":true}"#)
      #expect(lock.error == "ForbiddenException")
    }
  }
}

/// Accepts every request, and attributes the request to this caller.
private struct Tenant: RequestAuthenticator {
  let caller: Caller?

  func authenticate(_ request: RESTRequest) async throws(RESTError) -> Caller {
    guard let caller else { throw RESTError(.missingAuthenticationToken, "Nobody signs here.") }
    return caller
  }
}
