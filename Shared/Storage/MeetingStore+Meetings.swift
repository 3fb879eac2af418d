public import MeetingModel

extension MeetingStore {
  /// Creates a meeting, and the attendees of the request.
  ///
  /// While the meeting is live, a call with the same token and fingerprint returns the same
  /// meeting, attendees and tokens. Of concurrent calls, only one creates the meeting. A token
  /// belongs to the tenant of the meeting, so meetings of two tenants may have the same token.
  ///
  /// - Throws: ``StorageError/requestTokenConflict(_:)`` if the fingerprint differs;
  ///   ``StorageError/primaryUnusable(_:)``; ``StorageError/replicaLimit(_:)``;
  ///   ``StorageError/meetingLimit(_:)``; ``StorageError/invalid(_:)`` for capabilities that the
  ///   features forbid. After any of these errors, the store has created nothing.
  public func createMeeting(
    _ request: MeetingRequest, at now: Int64
  ) async throws(StorageError) -> CreatedMeeting {
    try await write { [self] database in
      if let earlier = try MeetingTable.fetch(madeAs: request, in: database) {
        guard earlier.fingerprint == request.fingerprint.bytes else {
          throw StorageError.requestTokenConflict(request.token)
        }
        return try repeated(request, for: earlier.meeting, in: database)
      }
      if let maxMeetings, try MeetingTable.count(in: database) >= maxMeetings {
        throw StorageError.meetingLimit(maxMeetings)
      }
      if let primary = request.primaryID { try checkPrimary(primary, in: database) }
      let meeting = Meeting(
        id: .random(), externalID: request.externalID, hostID: request.hostID,
        region: request.region, features: request.features, primaryID: request.primaryID,
        tenantIDs: request.tenantIDs, tags: request.tags.sorted { $0.key < $1.key },
        createdAt: now, placementBase: request.placementBase)
      try MeetingTable.insert(request, as: meeting, in: database)
      try MeetingRecordTable.insert(meeting, in: database)
      try note(.meetingStarted, in: meeting.id, at: now, database)
      let enrolled = try enroll(request.attendees, in: meeting, at: now, database)
      return CreatedMeeting(meeting: meeting, enrolled: enrolled, isNew: true)
    }
  }

  /// Locks or unlocks a meeting. The server admits no new attendees to a locked meeting.
  ///
  /// - Throws: ``StorageError/meetingNotFound(_:)`` for an unknown or ended meeting.
  public func setLocked(
    _ isLocked: Bool, _ id: MeetingID, at now: Int64
  ) async throws(StorageError) {
    try await write { [self] database in
      guard try MeetingTable.fetch(id, in: database).isLocked != isLocked else { return }
      try MeetingTable.setLocked(isLocked, id, in: database)
      try note(isLocked ? .meetingLocked : .meetingUnlocked, in: id, at: now, database)
    }
  }

  /// Returns a live meeting.
  ///
  /// - Throws: ``StorageError/meetingNotFound(_:)`` for an unknown or ended meeting.
  public func meeting(_ id: MeetingID) async throws(StorageError) -> Meeting {
    try await read { try MeetingTable.fetch(id, in: $0) }
  }

  /// Returns the number of live meetings.
  public func meetingCount() async throws(StorageError) -> Int {
    try await read { try MeetingTable.count(in: $0) }
  }

  /// Returns the number of a meeting's attendees, connected or not; 0 if the meeting has ended.
  public func attendeeCount(of meeting: MeetingID) async throws(StorageError) -> Int {
    try await read { try LiveAttendeeTable.count(of: meeting, in: $0) }
  }

  /// Lists live meetings in order of creation.
  ///
  /// - Parameters:
  ///   - position: ``ResultPage/next`` of the previous page; 0 for the first page.
  ///   - limit: The maximum number of meetings of the page; at least 1.
  public func listMeetings(
    after position: Int64 = 0, limit: Int
  ) async throws(StorageError) -> ResultPage<Meeting> {
    precondition(limit >= 1, "A page holds at least one meeting.")
    return try await read { database in
      let found = try MeetingTable.fetch(after: position, limit: limit + 1, in: database)
      let page = found.prefix(limit)
      return ResultPage(
        elements: page.map(\.meeting), next: found.count > limit ? page.last?.ordinal : nil)
    }
  }

  /// Returns the newest live meeting that has the given external id and is not a replica; `nil` if
  /// there is no such meeting.
  public func newestPrimaryMeeting(
    named externalID: String
  ) async throws(StorageError) -> Meeting? {
    try await read { try MeetingTable.newestPrimary(named: externalID, in: $0) }
  }

  /// Returns the original result of a request that created `meeting` earlier.
  ///
  /// Omits attendees that another request has deleted in the meantime.
  private func repeated(
    _ request: MeetingRequest, for meeting: Meeting, in database: Database
  ) throws -> CreatedMeeting {
    var seen: Set<ExternalUserID> = []
    let asked = request.attendees.map(\.externalUserID).filter { seen.insert($0).inserted }
    let capacity = capacity(of: meeting)
    let attendees = try asked.prefix(capacity).compactMap { externalID in
      try LiveAttendeeTable.fetch(externalID, of: meeting.id, in: database).map(issued)
    }
    let enrolled = CreateAttendeesResult(
      attendees: attendees, unplaced: Array(asked.dropFirst(capacity)))
    return CreatedMeeting(meeting: meeting, enrolled: enrolled, isNew: false)
  }

  private func checkPrimary(_ id: MeetingID, in database: Database) throws {
    let sql = "SELECT primary_id IS NULL AS is_ordinary FROM meeting WHERE id = ?"
    guard let row = try database.row(sql, [id.text]), try row.flag("is_ordinary") else {
      throw StorageError.primaryUnusable(id)
    }
    guard try MeetingTable.replicas(of: id, in: database).count < limits.maxReplicas else {
      throw StorageError.replicaLimit(limits.maxReplicas)
    }
  }
}
