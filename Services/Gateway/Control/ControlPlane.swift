import Logging
import MeetingModel
import ServiceHost
import Storage
import Wire

/// The operations on meetings and attendees, for REST and for the operator's tools.
///
/// Callers pass validated values. The meetings store makes each decision that depends on stored
/// state. Each of these decisions is one transaction. Then ``ControlEffects`` applies the decision
/// to the connected clients.
struct ControlPlane: Sendable {
  let store: MeetingStore
  let effects: any ControlEffects
  let settings: ControlSettings
  let logger: Logger

  // MARK: Meetings

  /// Creates a meeting, or returns the meeting that an earlier, equal request created.
  ///
  /// - Throws: `alreadyExists` if a different request with the same token created a meeting;
  ///   `invalidArgument` for an unusable primary or forbidden capabilities; `resourceExhausted` if
  ///   the primary already has the maximum number of replicas.
  func createMeeting(_ request: MeetingRequest) async throws(Status) -> CreatedMeeting {
    let created: CreatedMeeting
    do { created = try await store.createMeeting(request, at: settings.now()) } catch {
      throw report(error)
    }
    if created.isNew {
      logger.debug("Created a meeting", metadata: [LogMetadataKey.meeting: "\(created.meeting.id)"])
    }
    return created
  }

  /// - Throws: `notFound` for an unknown or ended meeting.
  func meeting(_ id: MeetingID) async throws(Status) -> Meeting {
    do { return try await store.meeting(id) } catch { throw report(error) }
  }

  /// Returns live meetings after a position, in the order of their creation.
  func listMeetings(after position: Int64, limit: Int) async throws(Status) -> ResultPage<Meeting> {
    do { return try await store.listMeetings(after: position, limit: limit) } catch {
      throw report(error)
    }
  }

  /// Returns the newest live meeting with an external id, ignoring replicas; `nil` if there is
  /// none.
  func newestPrimaryMeeting(named externalID: String) async throws(Status) -> Meeting? {
    do { return try await store.newestPrimaryMeeting(named: externalID) } catch {
      throw report(error)
    }
  }

  /// Ends a meeting and its replicas, and all sessions of these meetings.
  ///
  /// - Throws: `notFound` for an unknown or ended meeting.
  func endMeeting(_ id: MeetingID, because cause: MeetingEndReason) async throws(Status) {
    try await toTheEnd { () async throws(Status) in
      let ends: [EndedMeeting]
      do throws(StorageError) {
        // The gateway updates the records before it ends the meeting. So an attendee who left
        // earlier keeps the reason and the time of this departure in the records.
        await effects.recordRosters(of: try await store.meetingsThatEnd(with: id))
        ends = try await store.endMeeting(id, because: cause, at: settings.now())
      } catch {
        throw report(error)
      }
      for end in ends {
        logger.debug(
          "Ended a meeting",
          metadata: [
            LogMetadataKey.meeting: "\(end.meeting)", LogMetadataKey.reason: "\(end.cause)",
          ])
        await tell { () async throws(Status) in
          try await effects.endMeeting(end.meeting, status: end.cause.status)
        }
      }
    }
  }

  // MARK: Attendees

  /// Creates an attendee, or returns the existing attendee with this external user id.
  ///
  /// - Throws: `notFound` for an unknown or ended meeting; `invalidArgument` for capabilities that
  ///   the meeting's features forbid; `resourceExhausted` if the meeting is full.
  func createAttendee(
    _ request: AttendeeRequest, in meeting: MeetingID
  ) async throws(Status) -> IssuedAttendee {
    do { return try await store.createAttendee(request, in: meeting, at: settings.now()) } catch {
      throw report(error)
    }
  }

  /// Creates attendees as ``createAttendee(_:in:)`` does. The result also lists the requests that
  /// failed because the meeting is full.
  func createAttendees(
    _ requests: [AttendeeRequest], in meeting: MeetingID
  ) async throws(Status) -> CreateAttendeesResult {
    do { return try await store.createAttendees(requests, in: meeting, at: settings.now()) } catch {
      throw report(error)
    }
  }

  /// - Throws: `notFound` unless the id belongs to an attendee of this meeting.
  func attendee(
    _ id: AttendeeID, in meeting: MeetingID
  ) async throws(Status) -> IssuedAttendee {
    do { return try await store.attendee(id, in: meeting) } catch { throw report(error) }
  }

  /// Returns attendees after a position, in the order of their creation.
  func listAttendees(
    in meeting: MeetingID, after position: Int64, limit: Int
  ) async throws(Status) -> ResultPage<IssuedAttendee> {
    do {
      return try await store.listAttendees(in: meeting, after: position, limit: limit)
    } catch {
      throw report(error)
    }
  }

  /// Deletes an attendee and ends its sessions.
  ///
  /// - Throws: `notFound` unless the id belongs to an attendee of this meeting.
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

  /// Mutes an attendee so that the attendee's client cannot unmute itself, or ends an operator's
  /// mute.
  ///
  /// The change has taken effect when this method returns. Repeated calls have no further effect.
  ///
  /// - Throws: `notFound`. After any other error, the store contains the change, but the change
  ///   takes effect later.
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

  /// Ends the promotion in which a client acts as this attendee. The attendee itself remains.
  ///
  /// - Returns: Whether a client was promoted as this attendee.
  /// - Throws: `notFound`; `unavailable` if `presence` does not answer. In this last case,
  ///   `presence` may have ended the promotion.
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
  /// The change has taken effect when this method returns. Repeated calls have no further effect.
  ///
  /// - Throws: `notFound`; `invalidArgument` if the meeting's features forbid the capabilities.
  ///   After any other error, the store contains the change, but the change takes effect later.
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

  /// Changes the capabilities of all attendees that the store now lists, except `excluded`.
  ///
  /// - Throws: The errors of ``updateCapabilities(_:attendee:in:)``. An error for one attendee does
  ///   not stop the change for other attendees.
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

  /// Returns whether the store and the services answer, so that clients can create and join
  /// meetings.
  func isHealthy() async -> Bool {
    do { _ = try await store.listMeetings(limit: 1) } catch {
      _ = report(error)
      return false
    }
    return await effects.areServicesReachable()
  }

  /// Converts an error of the store to a status for callers. Logs the details, which are only for
  /// the operator.
  func report(_ error: StorageError) -> Status {
    switch error {
    case .meetingNotFound, .attendeeNotFound, .requestTokenConflict, .meetingFull, .meetingLimit,
      .replicaLimit,
      .tooManyTags, .primaryUnusable, .invalid, .accessKeyNotFound, .webhookNotFound,
      .webhookConflict, .tooManyWebhooks, .cancelled:
      break
    case .unavailable:
      logger.warning(
        "The meeting store does not answer", metadata: [LogMetadataKey.error: "\(error)"])
    case .corrupt, .newerSchema, .keyFile, .accessKeyFile, .internalFailure:
      logger.error("The meeting store failed", metadata: [LogMetadataKey.error: "\(error)"])
    }
    return error.status
  }

  /// Applies the effect of a deletion.
  ///
  /// If the effect fails, the method logs the error and does not throw it: the store contains the
  /// deletion, and ``MeetingExpiry`` applies the effect again.
  private func tell(_ effect: () async throws(Status) -> Void) async {
    do throws(Status) { try await effect() } catch {
      logger.info(
        "The end of a meeting has not been delivered yet; trying again",
        metadata: [
          LogMetadataKey.status: "\(error.code)", LogMetadataKey.error: "\(error.message)",
        ])
    }
  }

  /// Completes a change even after the cancellation of the caller's task.
  ///
  /// If the store contained a change and the services did not learn of this change, attendees could
  /// remain in an ended meeting.
  func toTheEnd<Value: Sendable>(
    _ work: @escaping @Sendable () async throws(Status) -> Value
  ) async throws(Status) -> Value {
    let task = Task { () async -> Result<Value, Status> in
      do throws(Status) { return .success(try await work()) } catch { return .failure(error) }
    }
    return try await task.value.get()
  }
}

extension MeetingEndReason {
  /// The status with which the sessions of the meeting end.
  var status: Status {
    switch self {
    case .deleted:
      Status(
        .notFound,
        "An application, an operator or a host ended the meeting; create another meeting.",
        session: .audioServerHungup,
        reason: .meetingDeleted)
    case .idle, .expired:
      Status(
        .notFound, "The meeting was empty for too long or became too old; create another meeting.",
        session: .audioServerHungup,
        reason: .meetingExpired)
    case .primaryEnded:
      Status(
        .notFound, "The primary meeting of this replica has ended; create another meeting.",
        session: .audioServerHungup,
        reason: .meetingExpired)
    }
  }
}
