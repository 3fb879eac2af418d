public import MeetingModel

extension MeetingStore {
  /// Creates an attendee. If an attendee with this external user id exists, returns that attendee
  /// unchanged.
  ///
  /// - Throws: ``StorageError/meetingNotFound(_:)``; ``StorageError/invalid(_:)`` for capabilities
  ///   that the meeting's features forbid; or ``StorageError/meetingFull(capacity:)``.
  public func createAttendee(
    _ request: AttendeeRequest, in meeting: MeetingID, at now: Int64
  ) async throws(StorageError) -> IssuedAttendee {
    try await write { [self] database in
      let meeting = try MeetingTable.fetch(meeting, in: database)
      let enrolled = try enroll([request], in: meeting, at: now, database)
      guard let attendee = enrolled.attendees.first else {
        throw StorageError.meetingFull(capacity: capacity(of: meeting))
      }
      return attendee
    }
  }

  /// Creates attendees as ``createAttendee(_:in:at:)`` does, and lists the requests that do not fit
  /// into the meeting.
  ///
  /// If an external user id occurs twice, the first of these requests creates the attendee.
  ///
  /// - Throws: ``StorageError/meetingNotFound(_:)``; ``StorageError/invalid(_:)`` if the meeting's
  ///   features forbid the capabilities of any request. In this case, the store creates no
  ///   attendee.
  public func createAttendees(
    _ requests: [AttendeeRequest], in meeting: MeetingID, at now: Int64
  ) async throws(StorageError) -> CreateAttendeesResult {
    try await write { [self] database in
      let meeting = try MeetingTable.fetch(meeting, in: database)
      return try enroll(requests, in: meeting, at: now, database)
    }
  }

  /// Checks that a meeting can have one more attendee.
  ///
  /// - Throws: ``StorageError/meetingNotFound(_:)`` or ``StorageError/meetingFull(capacity:)``.
  public func requireRoom(in meeting: MeetingID) async throws(StorageError) {
    try await read { [self] database in
      let capacity = capacity(of: try MeetingTable.fetch(meeting, in: database))
      guard try LiveAttendeeTable.count(of: meeting, in: database) < capacity else {
        throw StorageError.meetingFull(capacity: capacity)
      }
    }
  }

  /// Returns an attendee and its token.
  ///
  /// - Throws: ``StorageError/meetingNotFound(_:)`` or ``StorageError/attendeeNotFound(_:)``.
  public func attendee(
    _ id: AttendeeID, in meeting: MeetingID
  ) async throws(StorageError) -> IssuedAttendee {
    try await read { [self] in issued(try existing(id, in: meeting, $0)) }
  }

  /// Lists the attendees of a meeting, connected or not, in order of creation.
  ///
  /// - Parameters:
  ///   - position: ``ResultPage/next`` of the previous page; 0 for the first page.
  ///   - limit: The maximum number of attendees of the page; at least 1.
  /// - Throws: ``StorageError/meetingNotFound(_:)``.
  public func listAttendees(
    in meeting: MeetingID, after position: Int64 = 0, limit: Int
  ) async throws(StorageError) -> ResultPage<IssuedAttendee> {
    precondition(limit >= 1, "A page holds at least one attendee.")
    return try await read { [self] database in
      try requireMeeting(meeting, database)
      let found = try LiveAttendeeTable.fetch(
        of: meeting, after: position, limit: limit + 1, in: database)
      let page = found.prefix(limit)
      return ResultPage(
        elements: page.map(issued), next: found.count > limit ? page.last?.attendee.ordinal : nil)
    }
  }

  /// Returns the attendees of several meetings, by attendee id. Unknown and ended meetings have no
  /// attendees.
  public func attendees(
    of meetings: Set<MeetingID>
  ) async throws(StorageError) -> [AttendeeID: Attendee] {
    try await read { database in
      var found: [AttendeeID: Attendee] = [:]
      for meeting in meetings {
        for stored in try LiveAttendeeTable.fetch(of: meeting, after: 0, limit: .max, in: database)
        {
          found[stored.attendee.id] = stored.attendee
        }
      }
      return found
    }
  }

  /// Deletes an attendee. After this call, the store refuses the attendee's token, and a new
  /// attendee may take the free place.
  ///
  /// - Throws: ``StorageError/meetingNotFound(_:)`` or ``StorageError/attendeeNotFound(_:)``.
  public func deleteAttendee(
    _ id: AttendeeID, in meeting: MeetingID, at now: Int64
  ) async throws(StorageError) {
    try await write { [self] database in
      let attendee = try existing(id, in: meeting, database).attendee
      try LiveAttendeeTable.delete(id, in: database)
      try note(.attendeeDeleted, of: attendee, at: now, database)
    }
  }

  /// Records that a host or an operator removed an attendee from the meeting, or that an operator
  /// allowed the attendee again.
  ///
  /// - Throws: ``StorageError/meetingNotFound(_:)`` or ``StorageError/attendeeNotFound(_:)``.
  public func setBarred(
    _ isBarred: Bool, attendee id: AttendeeID, in meeting: MeetingID, at now: Int64
  ) async throws(StorageError) {
    try await write { [self] database in
      let attendee = try existing(id, in: meeting, database).attendee
      guard attendee.isBarred != isBarred else { return }
      try LiveAttendeeTable.setBarred(isBarred, id, in: database)
      try note(isBarred ? .attendeeBarred : .attendeeAllowed, of: attendee, at: now, database)
    }
  }

  /// Records that an operator muted an attendee, or lifted the mute.
  ///
  /// - Returns: The changed attendee.
  /// - Throws: ``StorageError/meetingNotFound(_:)`` or ``StorageError/attendeeNotFound(_:)``.
  @discardableResult
  public func setMutedByOperator(
    _ isMuted: Bool, attendee id: AttendeeID, in meeting: MeetingID, at now: Int64
  ) async throws(StorageError) -> Attendee {
    try await write { [self] database in
      var attendee = try existing(id, in: meeting, database).attendee
      guard attendee.isMutedByOperator != isMuted else { return attendee }
      try LiveAttendeeTable.setMutedByOperator(isMuted, id, in: database)
      try note(isMuted ? .attendeeMuted : .attendeeUnmuted, of: attendee, at: now, database)
      attendee.isMutedByOperator = isMuted
      return attendee
    }
  }

  /// Changes the capabilities of one attendee. The attendee's token remains valid.
  ///
  /// - Throws: ``StorageError/meetingNotFound(_:)``, ``StorageError/attendeeNotFound(_:)``,
  ///   or ``StorageError/invalid(_:)`` if the meeting's features forbid the capabilities.
  public func updateCapabilities(
    _ capabilities: AttendeeCapabilities, attendee id: AttendeeID, in meeting: MeetingID
  ) async throws(StorageError) -> IssuedAttendee {
    try await write { [self] database in
      let features = try MeetingTable.fetch(meeting, in: database).features
      var stored = try existing(id, in: meeting, database)
      try capabilities.validate(askedIn: features)
      try LiveAttendeeTable.setCapabilities(capabilities, of: id, in: database)
      stored.attendee.capabilities = capabilities
      return issued(stored)
    }
  }

  /// Changes the capabilities of all existing attendees except the excluded attendees.
  ///
  /// Ignores an excluded id that is not an attendee of the meeting.
  ///
  /// - Returns: The attendees whose capabilities have changed.
  /// - Throws: ``StorageError/meetingNotFound(_:)``; ``StorageError/invalid(_:)`` if the meeting's
  ///   features forbid the capabilities. In this case, the store changes no attendee.
  @discardableResult
  public func updateCapabilities(
    _ capabilities: AttendeeCapabilities, allExcept excluded: Set<AttendeeID>,
    in meeting: MeetingID
  ) async throws(StorageError) -> [Attendee] {
    try await write { database in
      let features = try MeetingTable.fetch(meeting, in: database).features
      try capabilities.validate(askedIn: features)
      let all = try LiveAttendeeTable.fetch(of: meeting, after: 0, limit: .max, in: database)
      let changing = all.map(\.attendee).filter {
        !excluded.contains($0.id) && $0.capabilities != capabilities
      }
      return try changing.map { attendee in
        try LiveAttendeeTable.setCapabilities(capabilities, of: attendee.id, in: database)
        var changed = attendee
        changed.capabilities = capabilities
        return changed
      }
    }
  }

  /// Returns the maximum number of attendees of a meeting: the smaller of the meeting's maximum and
  /// the installation's maximum.
  func capacity(of meeting: Meeting) -> Int {
    min(meeting.features.maxAttendees, limits.maxAttendees)
  }

  func requireMeeting(_ id: MeetingID, _ database: Database) throws {
    guard try MeetingTable.exists(id, in: database) else { throw StorageError.meetingNotFound(id) }
  }

  /// Creates the attendees that do not exist yet, until the meeting is full.
  func enroll(
    _ requests: [AttendeeRequest], in meeting: Meeting, at now: Int64, _ database: Database
  ) throws -> CreateAttendeesResult {
    for request in requests { try request.capabilities?.validate(askedIn: meeting.features) }
    let capacity = capacity(of: meeting)
    var count = try LiveAttendeeTable.count(of: meeting.id, in: database)
    var enrolled = CreateAttendeesResult(attendees: [], unplaced: [])
    var seen: Set<ExternalUserID> = []
    for request in requests where seen.insert(request.externalUserID).inserted {
      let externalID = request.externalUserID
      if let stored = try LiveAttendeeTable.fetch(externalID, of: meeting.id, in: database) {
        enrolled.attendees.append(issued(stored))
      } else if count < capacity {
        let capabilities = request.capabilities ?? .defaults(in: meeting.features)
        let stored = try LiveAttendeeTable.insert(
          request, with: capabilities, into: meeting.id, at: now, in: database)
        try note(.attendeeAdded, of: stored.attendee, at: now, database)
        enrolled.attendees.append(issued(stored))
        count += 1
      } else {
        enrolled.unplaced.append(externalID)
      }
    }
    return enrolled
  }

  private func existing(
    _ id: AttendeeID, in meeting: MeetingID, _ database: Database
  ) throws -> StoredAttendee {
    try requireMeeting(meeting, database)
    guard let stored = try LiveAttendeeTable.fetch(id, of: meeting, in: database) else {
      throw StorageError.attendeeNotFound(id)
    }
    return stored
  }
}
