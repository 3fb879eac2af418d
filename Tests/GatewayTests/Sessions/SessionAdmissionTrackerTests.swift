import MeetingModel
import Testing

@testable import Gateway

@Suite final class SessionAdmissionTrackerTests {
  private static let messages = ServiceID(name: "messaging")
  private static let tiles = ServiceID(name: "video-tiles")
  private static let roster = ServiceID(name: "presence")
  private static let media = ServiceID(name: "media")
  private static let needs = [
    SessionAdmissionTracker.Need(service: messages, step: .beforeRoster, timeout: .seconds(1)),
    SessionAdmissionTracker.Need(service: tiles, step: .beforeRoster, timeout: .seconds(1)),
    SessionAdmissionTracker.Need(
      service: roster, step: .roster, timeout: .seconds(5), isEssential: true),
    SessionAdmissionTracker.Need(service: media, step: .afterRoster),
  ]
  private static let away = Status(.unavailable, "It restarts.")
  private static let wrong = Status(.invalidArgument, "It is wrong.")
  private let session = SessionNumber(value: 1)
  private let start = ContinuousClock.now
  private var ledger = SessionAdmissionTracker()

  /// Returns the attempts that the tracker requests now.
  private func asked() -> [SessionAdmissionTracker.ServiceRequest] {
    ledger.takeEffects().compactMap { if case .ask(let attempt) = $0 { attempt } else { nil } }
  }

  private func open() -> [SessionAdmissionTracker.ServiceRequest] {
    ledger.open(session, needing: Self.needs, at: start)
    return asked()
  }

  private func moment(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

  @Test func `presence is asked only after the services that precede presence have answered`() {
    let first = open()
    #expect(first.map(\.service) == [Self.messages, Self.tiles])
    ledger.answered(first[0], nil, at: start)
    #expect(asked().isEmpty)
    ledger.answered(first[1], nil, at: start)
    #expect(asked().map(\.service) == [Self.roster])
  }

  @Test func `a session begins when it is in the roster, before the remaining services are asked`()
  {
    for attempt in open() { ledger.answered(attempt, nil, at: start) }
    let join = asked()[0]
    ledger.answered(join, nil, at: start)
    let effects = ledger.takeEffects()
    #expect(effects.first == .begin(session))
    guard case .ask(let attempt)? = effects.last else { return #expect(Bool(false)) }
    #expect(attempt.service == Self.media)
    ledger.answered(attempt, nil, at: start)
    #expect(Self.needs.allSatisfy { ledger.isTakenIn(session, by: $0.service) })
    #expect(!ledger.isWaiting)
  }

  @Test func `an unavailable service is asked again until its timeout ends`() {
    let first = open()
    ledger.answered(first[1], nil, at: start)
    ledger.answered(first[0], Self.away, at: moment(0.5))
    #expect(asked().isEmpty)
    ledger.advance(to: moment(0.6))
    let again = asked()
    #expect(again.map(\.service) == [Self.messages])
    ledger.answered(again[0], Self.away, at: moment(1.1))
    #expect(asked().map(\.service) == [Self.roster])
    ledger.advance(to: moment(2))
    #expect(asked().map(\.service) == [Self.messages])
  }

  @Test func `a session is refused if an essential service is unavailable until the timeout`() {
    for attempt in open() { ledger.answered(attempt, nil, at: start) }
    let join = asked()[0]
    ledger.answered(join, Self.away, at: moment(4.9))
    ledger.advance(to: moment(5))
    let again = asked()[0]
    ledger.answered(again, Self.away, at: moment(5.1))
    #expect(ledger.takeEffects() == [.refuse(session, Self.away)])
    #expect(ledger.count == 0)
    #expect(!ledger.isWaiting)
  }

  @Test
  func `a session is refused immediately if an essential service refuses the session permanently`()
  {
    for attempt in open() { ledger.answered(attempt, nil, at: start) }
    let join = asked()[0]
    ledger.answered(join, Self.wrong, at: start)
    #expect(ledger.takeEffects() == [.refuse(session, Self.wrong)])
  }

  @Test func `a session continues without an optional service that refuses the session`() {
    let first = open()
    ledger.answered(first[0], Self.wrong, at: start)
    ledger.answered(first[1], nil, at: start)
    let effects = ledger.takeEffects()
    #expect(effects.first == .goOnWithout(Self.messages, session, Self.wrong))
    guard case .ask(let join)? = effects.last else { return #expect(Bool(false)) }
    #expect(join.service == Self.roster)
  }

  @Test func `the answer to a superseded attempt is ignored`() {
    let first = open()
    ledger.lacks(session, Self.messages)
    let again = asked()
    #expect(again.map(\.service) == [Self.messages])
    ledger.answered(first[0], nil, at: start)
    #expect(!ledger.isTakenIn(session, by: Self.messages))
    ledger.answered(again[0], nil, at: start)
    #expect(ledger.isTakenIn(session, by: Self.messages))
  }

  @Test func `a service is not asked before its turn`() {
    _ = open()
    ledger.lacks(session, Self.media)
    #expect(asked().isEmpty)
  }

  @Test func `the tracker asks no service to admit a closed session`() {
    let first = open()
    ledger.answered(first[0], Self.away, at: start)
    ledger.close(session)
    ledger.advance(to: moment(10))
    ledger.answered(first[1], nil, at: start)
    ledger.lacks(session, Self.messages)
    #expect(ledger.takeEffects().isEmpty)
    #expect(!ledger.isWaiting)
  }
}
