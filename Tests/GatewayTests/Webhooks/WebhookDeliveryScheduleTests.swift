import MeetingModel
import Testing

@testable import Gateway
@testable import Storage

@Suite struct WebhookDeliveryScheduleTests {
  private let start = ContinuousClock.now

  private func delivery(
    to webhook: String = "a", of meeting: MeetingID, _ sequence: Int64 = 1
  ) throws -> WebhookDelivery {
    WebhookDelivery(
      webhook: webhook, url: "http://\(webhook)/", dropped: 0,
      event: MeetingEvent(
        number: sequence, id: "\(webhook) \(sequence)", kind: .attendeeAdded, sequence: sequence,
        at: 0, meeting: meeting, externalMeetingID: try ExternalMeetingID("standup")))
  }

  private func schedule(
    mostAtOnce: Int = 8, firstPause: Duration = .seconds(1), longestPause: Duration = .seconds(60)
  ) -> WebhookDeliverySchedule {
    WebhookDeliverySchedule(
      .init(mostAtOnce: mostAtOnce, firstPause: firstPause, longestPause: longestPause))
  }

  @Test func `only one event of a meeting is being delivered at a time`() throws {
    var schedule = schedule()
    let meeting = MeetingID.random()
    let (first, second) = (try delivery(of: meeting), try delivery(of: meeting, 2))
    #expect(schedule.start([first], at: start) == [first])
    // The store may already have recorded the first delivery, although the schedule still counts
    // this delivery as in progress.
    #expect(schedule.start([second], at: start).isEmpty)
    #expect(!schedule.isIdle)
    schedule.succeeded(.init(first))
    #expect(schedule.isIdle)
    #expect(schedule.start([second], at: start) == [second])
  }

  @Test func `an event that is delivered while the store is queried is not sent again`() throws {
    var schedule = schedule()
    let (first, other) = (try delivery(of: .random()), try delivery(of: .random()))
    #expect(schedule.start([first], at: start) == [first])
    let busy = schedule.lanesUnderWay
    let owed = [first, other]
    schedule.succeeded(.init(first))
    #expect(schedule.start(owed, unlessIn: busy, at: start) == [other])
  }

  @Test func `a receiver gets events of only a few meetings at a time, oldest first`() throws {
    var schedule = schedule(mostAtOnce: 2)
    let owed = try (0..<4).map { _ in try delivery(of: .random()) }
    #expect(schedule.start(owed, at: start) == Array(owed[..<2]))
    schedule.succeeded(.init(owed[0]))
    #expect(schedule.start(Array(owed[1...]), at: start) == [owed[2]])
  }

  @Test func `each webhook receiver has its own limit of concurrent deliveries`() throws {
    var schedule = schedule(mostAtOnce: 1)
    let meeting = MeetingID.random()
    let owed = [
      try delivery(to: "a", of: meeting), try delivery(to: "a", of: .random()),
      try delivery(to: "b", of: meeting),
    ]
    #expect(schedule.start(owed, at: start) == [owed[0], owed[2]])
  }

  @Test(arguments: [(0.0, 0.75), (1.0, 1.0)])
  func `the pauses after failed deliveries double until they reach the longest pause`(
    jitter: Double, share: Double
  ) throws {
    var schedule = schedule(longestPause: .seconds(10))
    let owed = [try delivery(of: .random())]
    var now = start
    for seconds in [1.0, 2, 4, 8, 10, 10] {
      #expect(schedule.start(owed, at: now) == owed)
      schedule.failed(.init(owed[0]), at: now, jitter: jitter)
      let pause = Duration.seconds(seconds * share)
      #expect(schedule.start(owed, at: now + pause - .milliseconds(1)).isEmpty)
      now += pause
    }
    #expect(schedule.start(owed, at: now) == owed)
  }

  @Test func `the pause before a retry stays limited after any number of failures`() throws {
    var schedule = schedule()
    let owed = [try delivery(of: .random())]
    var now = start
    for _ in 0..<200 {
      #expect(schedule.start(owed, at: now) == owed)
      schedule.failed(.init(owed[0]), at: now, jitter: 1)
      now += .seconds(60)
    }
  }

  @Test func `a meeting that waits after a failure does not count toward the limit of meetings`()
    throws
  {
    var schedule = schedule(mostAtOnce: 1)
    let (first, second) = (try delivery(of: .random()), try delivery(of: .random()))
    #expect(schedule.start([first, second], at: start) == [first])
    schedule.failed(.init(first), at: start, jitter: 1)
    #expect(schedule.start([first, second], at: start) == [second])
  }

  @Test func `the next failure after an accepted event counts as the first failure`() throws {
    var schedule = schedule()
    let owed = [try delivery(of: .random())]
    #expect(schedule.start(owed, at: start) == owed)
    schedule.failed(.init(owed[0]), at: start, jitter: 1)
    #expect(schedule.start(owed, at: start + .seconds(1)) == owed)
    schedule.progressed(.init(owed[0]))
    schedule.failed(.init(owed[0]), at: start, jitter: 1)
    #expect(schedule.start(owed, at: start + .seconds(1)) == owed)
    // These deliveries are not in progress, so the calls have no effect.
    schedule.succeeded(.init(owed[0]))
    schedule.progressed(.init(owed[0]))
    #expect(schedule.isIdle)
  }

  @Test func `a meeting without pending events is forgotten`() throws {
    var schedule = schedule()
    let owed = [try delivery(of: .random())]
    #expect(schedule.start(owed, at: start) == owed)
    schedule.failed(.init(owed[0]), at: start, jitter: 1)
    #expect(schedule.start([], at: start).isEmpty)
    // A replay adds the deliveries again. The schedule then ignores the earlier failure.
    #expect(schedule.start(owed, at: start) == owed)
  }
}
