import Logging
import MeetingModel
import ServiceHost
import Storage
import Wire

/// The operations on meetings and attendees, for REST and for the operator's tools.
///
/// Callers pass values that are valid by their types. The meetings store decides everything that
/// depends on stored state, in one transaction; then the effects reach the connected clients.
struct ControlPlane: Sendable {
  let store: MeetingStore
  let effects: any ControlEffects
  let settings: ControlSettings
  let logger: Logger

  // MARK: Meetings

  /// Creates a meeting, or returns the one that the same request created before.
  ///
  /// - Throws: `alreadyExists` if a different request created a meeting with this token;
  ///   `invalidArgument` for an unusable primary or forbidden capabilities; `resourceExhausted` if
  ///   the primary already has the maximum number of replicas.
  func createMeeting(_ request: MeetingRequest) async throws(Status) -> CreatedMeeting {
    let created: CreatedMeeting
    do { created = try await store.createMeeting(request, at: settings.now()) } catch {
      throw report(error)
    }
    if created.isNew {
      logger.debug("Created a meeting", metadata: [LogKey.meeting: "\(created.meeting.id)"])
    }
    return created
  }

  /// - Throws: `notFound` for an unknown or ended meeting.
  func meeting(_ id: MeetingID) async throws(Status) -> Meeting {
    do { return try await store.meeting(id) } catch { throw report(error) }
  }

  /// Returns live meetings in the order of their creation, after a position.
  func listMeetings(after position: Int64, limit: Int) async throws(Status) -> Page<Meeting> {
    do { return try await store.listMeetings(after: position, limit: limit) } catch {
      throw report(error)
    }
  }

  /// Returns the newest live meeting of an external id that is not a replica, if there is one.
  func newestPrimaryMeeting(named externalID: String) async throws(Status) -> Meeting? {
    do { return try await store.newestPrimaryMeeting(named: externalID) } catch {
      throw report(error)
    }
  }

  /// Ends a meeting and its replicas, with all their sessions.
  ///
  /// - Throws: `notFound` for an unknown or ended meeting.
  func endMeeting(_ id: MeetingID, because cause: EndCause) async throws(Status) {
    try await toTheEnd { () async throws(Status) in
      let ends: [MeetingEnd]
      do throws(StorageError) {
        // First, so that earlier departures keep their own reason and time.
        await effects.recordRosters(of: try await store.meetingsThatEnd(with: id))
        ends = try await store.endMeeting(id, because: cause, at: settings.now())
      } catch {
        throw report(error)
      }
      for end in ends {
        logger.debug(
          "Ended a meeting",
          metadata: [LogKey.meeting: "\(end.meeting)", LogKey.reason: "\(end.cause)"])
        await tell { () async throws(Status) in
          try await effects.endMeeting(end.meeting, status: end.cause.status)
        }
      }
    }
  }

  // MARK: Attendees

  /// Creates an attendee, or returns the one with this external user id.
  ///
  /// - Throws: `notFound` for an unknown or ended meeting, `invalidArgument` for capabilities that
  ///   the meeting's features forbid, `resourceExhausted` if it is full.
  func createAttendee(
    _ request: AttendeeRequest, in meeting: MeetingID
  ) async throws(Status) -> IssuedAttendee {
    do { return try await store.createAttendee(request, in: meeting, at: settings.now()) } catch {
      throw report(error)
    }
  }

  /// Creates attendees as ``createAttendee(_:in:)`` does, and lists those that do not fit.
  func createAttendees(
    _ requests: [AttendeeRequest], in meeting: MeetingID
  ) async throws(Status) -> EnrolledAttendees {
    do { return try await store.createAttendees(requests, in: meeting, at: settings.now()) } catch {
      throw report(error)
    }
  }

  /// - Throws: `notFound` unless it is an attendee of this meeting.
  func attendee(
    _ id: AttendeeID, in meeting: MeetingID
  ) async throws(Status) -> IssuedAttendee {
    do { return try await store.attendee(id, in: meeting) } catch { throw report(error) }
  }

  /// Returns attendees in the order of their creation, after a position.
  func listAttendees(
    in meeting: MeetingID, after position: Int64, limit: Int
  ) async throws(Status) -> Page<IssuedAttendee> {
    do {
      return try await store.listAttendees(in: meeting, after: position, limit: limit)
    } catch {
      throw report(error)
    }
  }

  /// Deletes an attendee and ends its sessions.
  ///
  /// - Throws: `notFound` unless it is an attendee of this meeting.
  func deleteAttendee(_ id: AttendeeID, in meeting: MeetingID) async throws(Status) {
    try await toTheEnd { () async throws(Status) in
      do throws(StorageError) {
        try await store.deleteAttendee(id, in: meeting, at: settings.now())
      } catch {
        throw report(error)
      }
      await tell { () async throws(Status) in try await effects.endAttendee(id, in: meeting) }
    }
  }

  /// Mutes an attendee so that it cannot unmute itself, or lifts that mute.
  ///
  /// The change is in force when this returns; a repeated call is harmless.
  ///
  /// - Throws: `notFound`; any error that delays the change, which is stored nevertheless.
  func setMutedByOperator(
    _ isMuted: Bool, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    try await toTheEnd { () async throws(Status) in
      do throws(StorageError) {
        try await store.setMutedByOperator(
          isMuted, attendee: attendee, in: meeting, at: settings.now())
      } catch {
        throw report(error)
      }
      try await effects.setMutedByOperator(isMuted, attendee: attendee, in: meeting)
    }
  }

  /// Ends the promotion as an attendee; the attendee itself remains.
  ///
  /// - Returns: Whether a client was promoted as this attendee.
  /// - Throws: `notFound`; `unavailable` when presence does not answer, although it may have ended
  ///   the promotion.
  func demote(_ attendee: AttendeeID, in meeting: MeetingID) async throws(Status) -> Bool {
    do throws(StorageError) {
      _ = try await store.attendee(attendee, in: meeting)
    } catch {
      throw report(error)
    }
    return try await effects.demote(attendee, in: meeting)
  }

  /// Changes an attendee's capabilities.
  ///
  /// The change is in force when this returns; a repeated call is harmless.
  ///
  /// - Throws: `notFound`; `invalidArgument` if the meeting's features forbid it; any error that
  ///   delays the change, which is stored nevertheless.
  func updateCapabilities(
    _ capabilities: AttendeeCapabilities, attendee: AttendeeID, in meeting: MeetingID
  ) async throws(Status) -> IssuedAttendee {
    try await toTheEnd { () async throws(Status) in
      let changed: IssuedAttendee
      do throws(StorageError) {
        changed = try await store.updateCapabilities(capabilities, attendee: attendee, in: meeting)
      } catch {
        throw report(error)
      }
      try await effects.setCapabilities(capabilities, attendee: attendee, in: meeting)
      return changed
    }
  }

  /// Changes the capabilities of all attendees whom the store lists now, except some.
  ///
  /// - Throws: As for one attendee. An error for one attendee does not stop the change for others.
  func updateCapabilities(
    _ capabilities: AttendeeCapabilities, allExcept excluded: Set<AttendeeID>,
    in meeting: MeetingID
  ) async throws(Status) {
    try await toTheEnd { () async throws(Status) in
      let changed: [Attendee]
      do throws(StorageError) {
        changed = try await store.updateCapabilities(
          capabilities, allExcept: excluded, in: meeting)
      } catch {
        throw report(error)
      }
      var failure: Status?
      for attendee in changed {
        do throws(Status) {
          try await effects.setCapabilities(capabilities, attendee: attendee.id, in: meeting)
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
    }
  }

  // MARK: Health and errors

  /// Returns whether meetings can be created and joined: the store and the services answer.
  func isHealthy() async -> Bool {
    do { _ = try await store.listMeetings(limit: 1) } catch {
      _ = report(error)
      return false
    }
    return await effects.areServicesReachable()
  }

  /// Converts a store failure for callers; details for the operator are logged and not passed on.
  func report(_ error: StorageError) -> Status {
    switch error {
    case .meetingNotFound, .attendeeNotFound, .requestTokenConflict, .meetingFull, .meetingLimit,
      .replicaLimit,
      .tooManyTags, .primaryUnusable, .invalid, .accessKeyNotFound, .webhookNotFound,
      .webhookConflict, .tooManyWebhooks, .cancelled:
      break
    case .unavailable:
      logger.warning("The meeting store does not answer", metadata: [LogKey.error: "\(error)"])
    case .corrupt, .newerSchema, .keyFile, .accessKeyFile, .internalFailure:
      logger.error("The meeting store failed", metadata: [LogKey.error: "\(error)"])
    }
    return error.status
  }

  /// Runs the effect of a deletion.
  ///
  /// A failure is only logged, because the deletion is stored and its effect is retried.
  private func tell(_ effect: () async throws(Status) -> Void) async {
    do throws(Status) { try await effect() } catch {
      logger.info(
        "The end of a meeting has not been delivered yet; trying again",
        metadata: [LogKey.status: "\(error.code)", LogKey.error: "\(error.message)"])
    }
  }

  /// Runs a change to its end even if the caller is cancelled.
  ///
  /// A change that is stored without its effect would leave attendees in an ended meeting.
  func toTheEnd<Value: Sendable>(
    _ work: @escaping @Sendable () async throws(Status) -> Value
  ) async throws(Status) -> Value {
    let task = Task { () async -> Result<Value, Status> in
      do throws(Status) { return .success(try await work()) } catch { return .failure(error) }
    }
    return try await task.value.get()
  }
}

extension EndCause {
  /// The status for the sessions of the meeting.
  var status: Status {
    switch self {
    case .deleted:
      Status(
        .notFound, "The meeting was deleted.", session: .audioServerHungup,
        reason: .meetingDeleted)
    case .idle, .expired:
      Status(
        .notFound, "The meeting has reached its end.", session: .audioServerHungup,
        reason: .meetingExpired)
    case .primaryEnded:
      Status(
        .notFound, "The primary meeting has ended.", session: .audioServerHungup,
        reason: .meetingExpired)
    }
  }
}
