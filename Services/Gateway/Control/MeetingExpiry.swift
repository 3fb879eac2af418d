import Logging
import MeetingModel
import ServiceHost
import ServiceLifecycle
import Storage

/// Ends the meetings that nobody is in any more or that are too old, and forgets what is long past.
///
/// Every gateway does this for the whole installation; the store sees to it that each meeting ends
/// once.
struct MeetingExpiry: Service {
  /// How long things last.
  struct Terms: Sendable {
    /// A meeting without anybody connected. Replicas are exempt.
    var idleMeeting: Duration
    /// Any meeting.
    var maxMeeting: Duration
    /// What tells latecomers that their meeting has ended, instead of that their token is wrong.
    var memory: Duration = .seconds(86_400)
    /// What is kept of what happened in a meeting, after its end.
    var records: Duration
    /// A meeting in which somebody is, as far as is recorded, and that no gateway has had for so
    /// long: presence is asked.
    var stray: Duration = .seconds(15)
    /// How long clients have after a start to come back before their meetings count as empty.
    var startupGrace: Duration = .seconds(30)

    init(_ limits: Limits, keepingRecordsFor records: Duration = .seconds(86_400 * 30)) {
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

  /// - Parameter interval: Between two looks; meetings end at most so much too late.
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

  /// Looks every interval until the process drains.
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
          // The store may be busy or gone for now; the next look makes up for this one.
          control.logger.info(
            "Meetings could not be looked through", metadata: [LogKey.error: "\(error)"])
        }
        do { try await clock.sleep(for: interval) } catch { return }
      }
    }
  }

  /// Notes who is connected here and ends what is due.
  ///
  /// - Parameter start: When this process began to look, in milliseconds since
  ///   1970-01-01T00:00:00Z.
  func sweep(startedAt start: Int64) async throws(Status) {
    let occupied = await control.effects.occupiedMeetings()
    let now = control.settings.now()
    let due: [MeetingEnd]
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
        // Another gateway was faster, or its primary ended just before it.
        guard error.code == .notFound else { throw error }
      }
    }
  }

  /// Where the last gateway that followed a meeting is gone, nobody tells who went after that.
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

  /// Tells again of meetings that have ended, and of attendees who are deleted, if they still have
  /// sessions here: whoever ended them may have died before it told anybody.
  func remind() async throws(Status) {
    for meeting in await control.effects.occupiedMeetings() {
      do throws(Status) { _ = try await control.meeting(meeting) } catch {
        guard error.code == .notFound else { throw error }
        try await control.effects.endMeeting(meeting, status: EndCause.expired.status)
      }
    }
    try await control.effects.endDeletedAttendees()
  }

  /// Forgets the meetings that ended longer ago than is remembered, and old events of clients.
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
