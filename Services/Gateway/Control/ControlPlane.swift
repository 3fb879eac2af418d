import Logging
import MeetingModel
import ServiceHost
import Storage
import Wire

/// What the operations on meetings and attendees do, whoever asks: the REST face or an operator.
///
/// Callers bring values that are valid by their types; what depends on stored state is decided by
/// the meetings store in one transaction, and then those who are connected are told.
struct ControlPlane: Sendable {
  let store: MeetingStore
  let effects: any ControlEffects
  let settings: ControlSettings
  let logger: Logger

  // MARK: Meetings

  /// Makes a meeting, or returns the one that the same request made before.
  ///
  /// - Throws: `alreadyExists` if a different request made a meeting with this token,
  ///   `invalidArgument` for an unusable primary or forbidden capabilities, `resourceExhausted` if
  ///   the primary has as many replicas as it may.
  func createMeeting(_ request: MeetingRequest) async throws(Status) -> CreatedMeeting {
    let created: CreatedMeeting
    do { created = try await store.createMeeting(request, at: settings.now()) } catch {
      throw report(error)
    }
    if created.isNew {
      logger.debug("Made a meeting", metadata: [LogKey.meeting: "\(created.meeting.id)"])
    }
    return created
  }

  /// - Throws: `notFound` for an unknown or ended meeting.
  func meeting(_ id: MeetingID) async throws(Status) -> Meeting {
    do { return try await store.meeting(id) } catch { throw report(error) }
  }

  /// Live meetings in the order of their creation, after a position.
  func listMeetings(after position: Int64, limit: Int) async throws(Status) -> Page<Meeting> {
    do { return try await store.listMeetings(after: position, limit: limit) } catch {
      throw report(error)
    }
  }

  /// Ends a meeting and its replicas, for everybody in them.
  ///
  /// - Throws: `notFound` for an unknown or ended meeting.
  func endMeeting(_ id: MeetingID, because cause: EndCause) async throws(Status) {
    try await toTheEnd { () async throws(Status) in
      let ends: [MeetingEnd]
      do throws(StorageError) {
        // Whoever has left already has left for a reason of its own, and then.
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

  /// Makes an attendee, or returns the one with this external user id.
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

  /// Makes attendees as ``createAttendee(_:in:)`` does; those that do not fit are named.
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

  /// Attendees in the order of their creation, after a position.
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

  /// Mutes an attendee so that it cannot unmute itself, or lifts that. It holds when this returns;
  /// asking again is harmless.
  ///
  /// - Throws: `notFound`; whatever keeps it from holding, though it is stored.
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

  /// Ends the promotion as an attendee, which goes on existing.
  ///
  /// - Returns: Whether somebody was promoted as it.
  /// - Throws: `notFound`; `unavailable` when presence does not answer, which may have done it.
  func demote(_ attendee: AttendeeID, in meeting: MeetingID) async throws(Status) -> Bool {
    do throws(StorageError) {
      _ = try await store.attendee(attendee, in: meeting)
    } catch {
      throw report(error)
    }
    return try await effects.demote(attendee, in: meeting)
  }

  /// Changes what one attendee may do. It holds when this returns; asking again is harmless.
  ///
  /// - Throws: `notFound`, `invalidArgument` if the meeting's features forbid it; whatever keeps it
  ///   from holding, though it is stored.
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

  /// Changes what all present attendees of the store may do, except some.
  ///
  /// - Throws: As for one attendee; all that changed are told even if telling one fails.
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

  // MARK: The whole

  /// Whether meetings can be made and joined: the store and the services behind it answer.
  func isHealthy() async -> Bool {
    do { _ = try await store.listMeetings(limit: 1) } catch {
      _ = report(error)
      return false
    }
    return await effects.areServicesReachable()
  }

  /// What callers are told of a failure of the store; what an operator must know is logged here and
  /// goes no further.
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

  /// What was deleted is gone, whether those in it have been told or will be: not the caller's
  /// error.
  private func tell(_ effect: () async throws(Status) -> Void) async {
    do throws(Status) { try await effect() } catch {
      logger.info(
        "An ending has not been told yet and will be told again",
        metadata: [LogKey.status: "\(error.code)", LogKey.error: "\(error.message)"])
    }
  }

  /// Carries out a change and tells of it even if whoever asked gives up meanwhile: a change that
  /// is stored and never told would leave people in a meeting that has ended.
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
  /// What those who are in the meeting are told.
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
