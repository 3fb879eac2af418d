import HeapModule
import MeetingModel

/// The times at which sessions need work, each session at most once.
struct SessionTimerQueue {
  private struct Alarm: Comparable {
    let time: ContinuousClock.Instant
    let session: SessionID

    static func < (one: Alarm, other: Alarm) -> Bool { one.time < other.time }
  }

  /// All alarms that have not rung, including replaced and cancelled alarms.
  private var alarms = Heap<Alarm>()

  /// The valid alarm of each session.
  private var times: [SessionID: ContinuousClock.Instant] = [:]

  /// The time of the earliest alarm; `nil` for none.
  var next: ContinuousClock.Instant? { alarms.min?.time }

  /// Sets the alarm of a session, unless the session has an earlier alarm.
  mutating func set(_ time: ContinuousClock.Instant, for session: SessionID) {
    if let present = times[session], present <= time { return }
    times[session] = time
    alarms.insert(Alarm(time: time, session: session))
  }

  /// Cancels the alarm of a session.
  mutating func cancel(_ session: SessionID) { times[session] = nil }

  /// Returns a session whose alarm is due, and removes this alarm; `nil` for none.
  mutating func takeDue(at now: ContinuousClock.Instant) -> SessionID? {
    while let alarm = alarms.min, alarm.time <= now {
      alarms.removeMin()
      guard times[alarm.session] == alarm.time else { continue }
      times[alarm.session] = nil
      return alarm.session
    }
    return nil
  }
}
