import Logging
import MeetingModel
import ServiceHost
import ServiceLifecycle
import Storage

/// The service that ends idle and expired meetings, and deletes old records.
///
/// Every gateway runs this service for the whole installation. The store ends each meeting only
/// once.
struct MeetingExpiry: Service {
  /// The lifetimes of meetings and records.
  struct Terms: Sendable {
    /// How long a meeting may be without connected clients.
    ///
    /// This limit does not apply to replicas.
    var idleMeeting: Duration
    /// The maximum duration of a meeting.
    var maxMeeting: Duration
    /// How long the store keeps the entry of an ended meeting. During this time, a late join fails
    /// with the reason that the meeting has ended. Afterwards, a late join fails with the reason
    /// that the token is unknown.
    var memory: Duration = .seconds(86_400)
    /// How long the store keeps a meeting's records after the meeting's end.
    var records: Duration
    /// How long a meeting's record may list present attendees while no gateway follows the meeting.
    /// After this time, the service requests the meeting's roster from `presence`.
    var stray: Duration = .seconds(15)
    /// How long clients may take to reconnect after a start of this service. During this time, the
    /// service does not count any meeting as empty.
    var startupGrace: Duration = .seconds(30)

    init(_ limits: InstallationLimits, keepingRecordsFor records: Duration = .seconds(86_400 * 30))
    {
      self.records = records
      idleMeeting = limits.idleMeeting
      maxMeeting = limits.maxMeeting
    }
  }

  let control: ControlPlane
  let events: ClientEventIntake
  let terms: Terms
  let interval: Duration
  let clock: any Clock<Duration>

  /// - Parameter interval: The time between two sweeps. So a meeting may end up to this time later
  ///   than planned.
  init(
    control: ControlPlane, events: ClientEventIntake, terms: Terms,
    interval: Duration = .seconds(5), clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.control = control
    self.events = events
    self.terms = terms
    self.interval = interval
    self.clock = clock
  }

  /// Runs one sweep in each interval until the process drains.
  func run() async throws {
    await cancelWhenGracefulShutdown {
      var (lastReminder, lastPurge) = (Int64.min, Int64.min)
      let started = control.settings.now()
      while !Task.isCancelled {
        let now = control.settings.now()
        do throws(Status) {
          try await sweep(startedAt: started)
          if now - 60_000 >= lastReminder {
            try await remind()
            lastReminder = now
          }
          if now - 3_600_000 >= lastPurge {
            try await forget()
            lastPurge = now
          }
        } catch {
          // The store may be temporarily unavailable. The next sweep tries again.
          control.logger.info(
            "Could not examine the meetings", metadata: [LogMetadataKey.error: "\(error)"])
        }
        do { try await clock.sleep(for: interval) } catch { return }
      }
    }
  }

  /// Records which meetings have sessions at this gateway, and ends the meetings that are due to
  /// end.
  ///
  /// - Parameter start: When this process began to sweep, in milliseconds since
  ///   1970-01-01T00:00:00Z.
  func sweep(startedAt start: Int64) async throws(Status) {
    let occupied = await control.effects.occupiedMeetings()
    let now = control.settings.now()
    let due: [EndedMeeting]
    do {
      try await control.store.noteOccupied(occupied, at: now)
      due = try await control.store.meetingsToEnd(
        now: now, idleAfter: terms.idleMeeting, maximumAge: terms.maxMeeting)
    } catch {
      throw control.report(error)
    }
    try await lookAfterRecords(at: now, isSettled: .milliseconds(now - start) >= terms.startupGrace)
    let grace = min(terms.startupGrace, terms.idleMeeting)
    let isSettled = Duration.milliseconds(now - start) >= grace
    for end in due where isSettled || end.cause != .idle {
      do throws(Status) { try await control.endMeeting(end.meeting, because: end.cause) } catch {
        // `notFound` means that the meeting has already ended: another gateway ended it, or its
        // primary has ended.
        guard error.code == .notFound else { throw error }
      }
    }
  }

  /// Updates the records of meetings that no gateway follows any more. Otherwise the records would
  /// not contain the departures after the last gateway stopped following these meetings.
  private func lookAfterRecords(at now: Int64, isSettled: Bool) async throws(Status) {
    guard isSettled else { return }
    let quiet = now - Int64(terms.stray / .milliseconds(1))
    do throws(StorageError) {
      let strays = try await control.store.strayRecords(unoccupiedSince: quiet, limit: 100)
      await control.effects.recordRosters(of: strays)
    } catch {
      throw control.report(error)
    }
  }

  /// At this gateway, ends the sessions whose meeting has ended, and the sessions of deleted
  /// attendees.
  ///
  /// The gateway that ended the meeting or deleted the attendee may have crashed before it notified
  /// the other gateways.
  func remind() async throws(Status) {
    for meeting in await control.effects.occupiedMeetings() {
      do throws(Status) { _ = try await control.meeting(meeting) } catch {
        guard error.code == .notFound else { throw error }
        try await control.effects.endMeeting(meeting, status: MeetingEndReason.expired.status)
      }
    }
    try await control.effects.endDeletedAttendees()
  }

  /// Deletes ended meetings after ``Terms/memory``, and old client events.
  func forget() async throws(Status) {
    try await events.purge()
    let memory = Int64(terms.memory / .milliseconds(1))
    do {
      let now = control.settings.now()
      try await control.store.purge(endedBefore: now - memory)
      try await control.store.purgeRecords(
        endedBefore: now - Int64(terms.records / .milliseconds(1)), erasedBefore: now - memory)
    } catch {
      throw control.report(error)
    }
  }
}
