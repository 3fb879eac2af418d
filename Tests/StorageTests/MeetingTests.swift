import MeetingModel
import Storage
import Testing

@Suite struct MeetingTests {
  @Test func `another gateway reads a meeting with the values that the meeting was created with`()
    async throws
  {
    try await withFixture { fixture in
      let (one, two) = (try fixture.open(), try fixture.open())
      var request = try meetingRequest(
        features: MeetingFeatures(
          echoReduction: true, video: .none, content: .uhd, maxAttendees: 7))
      request.hostID = try MeetingHostID("host é")
      request.tenantIDs = [try TenantID("zebra"), try TenantID("ant")]
      request.tags = [
        try MeetingTag(key: "b", value: ""), try MeetingTag(key: "B", value: "x y"),
      ]
      let created = try await one.createMeeting(request, at: 1_234)
      #expect(created.isNew)
      #expect(created.meeting.createdAt == 1_234)
      #expect(created.meeting.features == request.features)
      #expect(created.meeting.hostID == request.hostID)
      #expect(created.meeting.tenantIDs == request.tenantIDs)
      #expect(Set(created.meeting.tags) == Set(request.tags))
      #expect(try await two.meeting(created.meeting.id) == created.meeting)
      #expect(try await one.listMeetings(limit: 5).elements == [created.meeting])
    }
  }

  @Test func `the newest primary meeting is found by its name`() async throws {
    try await withStore { store in
      #expect(try await store.newestPrimaryMeeting(named: "standup") == nil)
      var made: [Meeting] = []
      for name in ["standup", "standup", "tea"] {
        var request = try meetingRequest("token-\(made.count)")
        request.externalID = try ExternalMeetingID(name)
        made.append(try await store.createMeeting(request, at: 1).meeting)
      }
      let replica = try meetingRequest("replica", primary: made[1].id)
      _ = try await store.createMeeting(replica, at: 1)
      #expect(try await store.newestPrimaryMeeting(named: "standup") == made[1])
      #expect(try await store.newestPrimaryMeeting(named: "stand") == nil)
    }
  }

  @Test func `a region that the operator added is stored`() async throws {
    try await withStore { store in
      var request = try meetingRequest()
      request.region = try MediaRegion("cellar", additional: ["cellar"])
      let id = try await store.createMeeting(request, at: 1).meeting.id
      #expect(try await store.meeting(id).region.text == "cellar")
    }
  }

  @Test
  func `repeating a request with the same request token returns the same meeting and attendees`()
    async throws
  {
    try await withStore { store in
      let request = try meetingRequest(attendees: ["ada", "grace"])
      let first = try await store.createMeeting(request, at: 1)
      let second = try await store.createMeeting(request, at: 2)
      #expect(first.isNew && !second.isNew)
      #expect(second.meeting == first.meeting)
      #expect(second.enrolled == first.enrolled)
      #expect(first.enrolled.attendees.count == 2)
    }
  }

  @Test func `a repeated request returns the same attendees, except deleted attendees`()
    async throws
  {
    try await withStore { store in
      let request = try meetingRequest(
        features: MeetingFeatures(maxAttendees: 2), attendees: ["ada", "ada", "grace", "alan"])
      let first = try await store.createMeeting(request, at: 1)
      #expect(first.enrolled.unplaced.map(\.text) == ["alan"])
      #expect(try await store.createMeeting(request, at: 2).enrolled == first.enrolled)
      let ada = try #require(first.enrolled.attendees.first)
      try await store.deleteAttendee(
        ada.attendee.id, in: first.meeting.id, at: 3_000)
      let third = try await store.createMeeting(request, at: 3)
      #expect(third.enrolled.attendees == Array(first.enrolled.attendees.dropFirst()))
      #expect(third.enrolled.unplaced == first.enrolled.unplaced)
    }
  }

  @Test func `a different request with the same request token is a conflict and changes nothing`()
    async throws
  {
    try await withStore { store in
      let first = try await store.makeMeeting()
      let token = try ClientRequestToken("token-1")
      await #expect(throws: StorageError.requestTokenConflict(token)) {
        try await store.createMeeting(meetingRequest(fingerprint: "other"), at: 2)
      }
      #expect(StorageError.requestTokenConflict(token).status.code == .alreadyExists)
      #expect(try await store.listMeetings(limit: 9).elements.map(\.id) == [first])
    }
  }

  @Test func `tenants can use the same request token for different meetings`() async throws {
    try await withStore { store in
      var meetings: [MeetingID] = []
      let tenants: [[String]] = [["acme"], ["other"], [], ["ACME"]]
      for tenant in tenants {
        var request = try meetingRequest(fingerprint: tenant.joined())
        request.tenantIDs = try tenant.map { try TenantID($0) }
        let made = try await store.createMeeting(request, at: 1)
        #expect(made.isNew)
        #expect(try await store.createMeeting(request, at: 2).meeting == made.meeting)
        request.fingerprint = RequestFingerprint(of: [1])
        await #expect(throws: StorageError.requestTokenConflict(request.token)) {
          try await store.createMeeting(request, at: 3)
        }
        meetings.append(made.meeting.id)
      }
      #expect(Set(meetings).count == tenants.count)
      // The end of one tenant's meeting frees only that tenant's token.
      _ = try await store.endMeeting(meetings[0], because: .deleted, at: 4)
      var request = try meetingRequest(fingerprint: "new")
      request.tenantIDs = [try TenantID("acme")]
      #expect(try await store.createMeeting(request, at: 5).isNew)
      request.tenantIDs = [try TenantID("other")]
      await #expect(throws: StorageError.requestTokenConflict(request.token)) {
        try await store.createMeeting(request, at: 6)
      }
    }
  }

  @Test
  func `a request token of a meeting with several tenants counts as a token without a tenant`()
    async throws
  {
    try await withStore { store in
      var request = try meetingRequest()
      request.tenantIDs = [try TenantID("acme"), try TenantID("other")]
      #expect(try await store.createMeeting(request, at: 1).isNew)
      request.tenantIDs = [try TenantID("acme"), try TenantID("acme")]
      #expect(try await store.createMeeting(request, at: 2).isNew)
      request.tenantIDs = [try TenantID("acme")]
      #expect(try await !store.createMeeting(request, at: 3).isNew)
      await #expect(throws: StorageError.requestTokenConflict(request.token)) {
        try await store.createMeeting(meetingRequest(fingerprint: "other"), at: 4)
      }
    }
  }

  @Test func `a request token can be used again after its meeting has ended`() async throws {
    try await withStore { store in
      let first = try await store.makeMeeting()
      _ = try await store.endMeeting(first, because: .deleted, at: 2)
      let second = try await store.createMeeting(meetingRequest(fingerprint: "other"), at: 3)
      #expect(second.isNew)
      #expect(second.meeting.id != first)
    }
  }

  @Test func `no meeting is created if its features forbid the capabilities of an attendee`()
    async throws
  {
    try await withStore { store in
      var request = try meetingRequest(features: MeetingFeatures(video: .none, maxAttendees: nil))
      request.attendees = [try attendeeRequest("ada"), try attendeeRequest("grace", .all)]
      let error = await #expect(throws: StorageError.self) {
        try await store.createMeeting(request, at: 1)
      }
      #expect(error?.status.code == .invalidArgument)
      #expect(try await store.listMeetings(limit: 1).elements.isEmpty)
    }
  }

  @Test func `pages of meetings follow the order of creation, and the last page is marked`()
    async throws
  {
    try await withStore { store in
      var ids: [MeetingID] = []
      for index in 0..<5 { ids.append(try await store.makeMeeting("token-\(index)")) }
      let first = try await store.listMeetings(limit: 2)
      #expect(first.elements.map(\.id) == Array(ids[..<2]))
      let position = try #require(first.next)
      _ = try await store.endMeeting(ids[1], because: .deleted, at: 1)
      let second = try await store.listMeetings(after: position, limit: 2)
      #expect(second.elements.map(\.id) == Array(ids[2..<4]))
      let third = try await store.listMeetings(after: #require(second.next), limit: 1)
      #expect(third.elements.map(\.id) == [ids[4]])
      #expect(third.next == nil)
    }
  }

  @Test func `a page limit of zero stops the process`() async throws {
    let meetings = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try await withStore { store in _ = try await store.listMeetings(limit: 0) }
    }
    let attendees = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try await withStore { store in _ = try await store.listAttendees(in: .random(), limit: 0) }
    }
    for (result, what) in [(meetings, "meeting"), (attendees, "attendee")] {
      let said = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(said.contains("A page holds at least one \(what)."))
    }
  }

  @Test func `an unknown meeting is not found`() async throws {
    try await withStore { store in
      let id = MeetingID.random()
      await #expect(throws: StorageError.meetingNotFound(id)) { try await store.meeting(id) }
      #expect(StorageError.meetingNotFound(id).status.code == .notFound)
    }
  }
}

@Suite struct ReplicaTests {
  @Test func `a replica contains the id of its primary`() async throws {
    try await withStore { store in
      let primary = try await store.makeMeeting()
      let replica = try await store.makeMeeting("token-2", primary: primary)
      #expect(try await store.meeting(replica).primaryID == primary)
      #expect(try await store.meeting(replica).isReplica)
      #expect(try await !store.meeting(primary).isReplica)
    }
  }

  @Test func `an unknown, ended or replica meeting cannot be a primary`() async throws {
    try await withStore { store in
      let primary = try await store.makeMeeting()
      let replica = try await store.makeMeeting("token-2", primary: primary)
      let ended = try await store.makeMeeting("token-3")
      _ = try await store.endMeeting(ended, because: .deleted, at: 1)
      for unusable in [replica, ended, .random()] {
        await #expect(throws: StorageError.primaryUnusable(unusable)) {
          try await store.makeMeeting("token-4", primary: unusable)
        }
      }
      #expect(StorageError.primaryUnusable(ended).status.code == .invalidArgument)
    }
  }

  @Test func `a primary has at most four replicas, and a deleted replica makes room for another`()
    async throws
  {
    try await withStore { store in
      let primary = try await store.makeMeeting()
      var replicas: [MeetingID] = []
      for index in 0..<4 {
        replicas.append(try await store.makeMeeting("replica-\(index)", primary: primary))
      }
      await #expect(throws: StorageError.replicaLimit(4)) {
        try await store.makeMeeting("replica-4", primary: primary)
      }
      #expect(try await store.makeMeeting("replica-3", primary: primary) == replicas[3])
      _ = try await store.endMeeting(replicas[0], because: .deleted, at: 1)
      _ = try await store.makeMeeting("replica-4", primary: primary)
      #expect(StorageError.replicaLimit(4).status.code == .resourceExhausted)
    }
  }

  @Test func `when a primary meeting ends, its replicas end and no other meeting ends`()
    async throws
  {
    try await withStore { store in
      let primary = try await store.makeMeeting()
      let replica = try await store.makeMeeting("token-2", primary: primary)
      let other = try await store.makeMeeting("token-3")
      let ended = try await store.endMeeting(primary, because: .deleted, at: 1)
      #expect(
        ended == [
          EndedMeeting(meeting: primary, cause: .deleted),
          EndedMeeting(meeting: replica, cause: .primaryEnded),
        ])
      #expect(try await store.listMeetings(limit: 9).elements.map(\.id) == [other])
    }
  }

  @Test func `the end of a replica ends neither its primary nor other replicas`() async throws {
    try await withStore { store in
      let primary = try await store.makeMeeting()
      let replica = try await store.makeMeeting("token-2", primary: primary)
      let sibling = try await store.makeMeeting("token-3", primary: primary)
      _ = try await store.endMeeting(replica, because: .deleted, at: 1)
      #expect(try await store.listMeetings(limit: 9).elements.map(\.id) == [primary, sibling])
    }
  }
}
