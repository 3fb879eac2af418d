import MeetingModel
import Testing

@testable import Presence

/// Tests of the decisions about knocks: who may wait, for how long, and who answers.
@Suite struct KnocksTests {
  private let orchard = MeetingID.random()
  private let belfry = MeetingID.random()
  private let start = ContinuousClock.now

  /// Returns the time at a second of the test. Before second 0, the new value does not know all
  /// hosts.
  private func at(_ seconds: Double) -> ContinuousClock.Instant {
    start + .seconds(15) + .seconds(seconds)
  }

  private func person(
    _ name: String = "Eve", from address: String = "::1", age: Double = 0
  ) throws -> Knocks.Request {
    Knocks.Request(
      id: .random(), name: try DisplayName(name), address: address, age: .seconds(age))
  }

  private func expect(
    _ state: KnockState, of knock: Knocks.Request, in knocks: inout Knocks, at seconds: Double
  ) throws {
    let found = try knocks.ask(knock, at: orchard, now: at(seconds))
    #expect(found == state)
  }

  private func expect(
    _ error: PresenceError, for knock: Knocks.Request, in knocks: inout Knocks, at seconds: Double
  ) {
    #expect(throws: error) { _ = try knocks.ask(knock, at: orchard, now: at(seconds)) }
  }

  /// Returns a `Knocks` in which a host is present in `orchard`.
  private func hosted(_ rules: Knocks.Rules = Knocks.Rules()) -> Knocks {
    var knocks = Knocks(rules: rules, at: start)
    _ = knocks.list(orchard, at: at(0))
    return knocks
  }

  @Test func `a host sees the waiting people in the order of their knocks and admits one person`()
    throws
  {
    var knocks = hosted()
    let (eve, dan) = (try person("Eve"), try person("Dan"))
    try expect(.waiting, of: eve, in: &knocks, at: 1)
    try expect(.waiting, of: dan, in: &knocks, at: 2)
    let listed = knocks.list(orchard, at: at(3))
    #expect(listed.map(\.name.text) == ["Eve", "Dan"])
    try knocks.answer(dan.id, at: orchard, admits: true, now: at(4))
    try expect(.admitted, of: dan, in: &knocks, at: 5)
    try expect(.waiting, of: eve, in: &knocks, at: 5)
    let left = knocks.list(orchard, at: at(6))
    #expect(left.map(\.id) == [eve.id])
  }

  @Test func `an admitted person can enter once`() throws {
    var knocks = hosted()
    let eve = try person()
    try expect(.waiting, of: eve, in: &knocks, at: 0)
    try knocks.answer(eve.id, at: orchard, admits: true, now: at(1))
    let entry = GUID.random()
    try knocks.take(eve.id, as: entry, at: orchard, now: at(2))
    try knocks.take(eve.id, as: entry, at: orchard, now: at(2))
    for meeting in [orchard, belfry] {
      #expect(throws: PresenceError.unknownKnock) {
        try knocks.take(eve.id, as: .random(), at: meeting, now: at(3))
      }
    }
    #expect(throws: PresenceError.unknownKnock) {
      try knocks.take(eve.id, as: entry, at: belfry, now: at(3))
    }
    expect(.unknownKnock, for: eve, in: &knocks, at: 3)
  }

  @Test func `a used ticket stays refused until it expires`() throws {
    var knocks = hosted()
    let eve = try person()
    try expect(.waiting, of: eve, in: &knocks, at: 0)
    try knocks.answer(eve.id, at: orchard, admits: true, now: at(1))
    try knocks.take(eve.id, as: .random(), at: orchard, now: at(2))
    for now in stride(from: 4.0, through: 700, by: 4) {
      let again = Knocks.Request(
        id: eve.id, name: eve.name, address: eve.address, age: .seconds(now))
      expect(.unknownKnock, for: again, in: &knocks, at: now)
      // The entries of other people do not shorten this time.
      let dan = try person("Dan")
      try expect(.waiting, of: dan, in: &knocks, at: now)
      try knocks.take(dan.id, as: .random(), at: orchard, now: at(now))
      let waiting = knocks.list(orchard, at: at(now))
      #expect(waiting.isEmpty)
    }
  }

  @Test func `a person whose entry failed waits again and needs another answer`() throws {
    var knocks = hosted()
    let eve = try person()
    try expect(.waiting, of: eve, in: &knocks, at: 0)
    try knocks.answer(eve.id, at: orchard, admits: true, now: at(1))
    let failed = GUID.random()
    try knocks.take(eve.id, as: failed, at: orchard, now: at(2))
    // Nothing changes for other entries, meetings and knocks.
    knocks.putBack(eve.id, as: .random(), at: orchard, now: at(3))
    knocks.putBack(eve.id, as: failed, at: belfry, now: at(3))
    knocks.putBack(.random(), as: failed, at: orchard, now: at(3))
    expect(.unknownKnock, for: eve, in: &knocks, at: 3)
    for _ in 0..<2 { knocks.putBack(eve.id, as: failed, at: orchard, now: at(4)) }
    try expect(.waiting, of: eve, in: &knocks, at: 5)
    let waiting = knocks.list(orchard, at: at(5))
    #expect(waiting.map(\.id) == [eve.id])
    try knocks.answer(eve.id, at: orchard, admits: true, now: at(6))
    try knocks.take(eve.id, as: .random(), at: orchard, now: at(7))
    // A late repetition ends no later entry.
    knocks.putBack(eve.id, as: failed, at: orchard, now: at(8))
    expect(.unknownKnock, for: eve, in: &knocks, at: 8)
  }

  @Test func `an admission that is not used within a minute is forgotten`() throws {
    var knocks = hosted()
    let eve = try person()
    try expect(.waiting, of: eve, in: &knocks, at: 0)
    try knocks.answer(eve.id, at: orchard, admits: true, now: at(1))
    _ = knocks.list(orchard, at: at(61))
    #expect(throws: PresenceError.unknownKnock) {
      try knocks.take(eve.id, as: .random(), at: orchard, now: at(61))
    }
    try expect(.waiting, of: eve, in: &knocks, at: 61)
  }

  @Test func `a denied person cannot enter, and an answer is final`() throws {
    var knocks = hosted()
    let eve = try person()
    try expect(.waiting, of: eve, in: &knocks, at: 0)
    try knocks.answer(eve.id, at: orchard, admits: false, now: at(1))
    try expect(.denied, of: eve, in: &knocks, at: 2)
    try knocks.answer(eve.id, at: orchard, admits: false, now: at(2))
    #expect(throws: PresenceError.unknownKnock) {
      try knocks.answer(eve.id, at: orchard, admits: true, now: at(3))
    }
    #expect(throws: PresenceError.unknownKnock) {
      try knocks.take(eve.id, as: .random(), at: orchard, now: at(3))
    }
    try expect(.denied, of: eve, in: &knocks, at: 3)
  }

  @Test func `a host answers only the knocks of its own meeting`() throws {
    var knocks = hosted()
    let eve = try person()
    try expect(.waiting, of: eve, in: &knocks, at: 0)
    let others = knocks.list(belfry, at: at(1))
    #expect(others.isEmpty)
    #expect(throws: PresenceError.unknownKnock) {
      try knocks.answer(eve.id, at: belfry, admits: true, now: at(1))
    }
  }

  @Test func `nobody can knock or wait while no host is present`() throws {
    var knocks = hosted()
    let eve = try person()
    #expect(throws: PresenceError.noHost) {
      _ = try knocks.ask(eve, at: belfry, now: at(0))
    }
    #expect(!knocks.hasHost(belfry, at: at(0)))
    try expect(.waiting, of: eve, in: &knocks, at: 10)
    #expect(knocks.hasHost(orchard, at: at(14.9)))
    try expect(.waiting, of: eve, in: &knocks, at: 14.9)
    #expect(!knocks.hasHost(orchard, at: at(15)))
    expect(.noHost, for: eve, in: &knocks, at: 15)
    #expect(knocks.count == 0)
  }

  @Test func `a knock expires when the knocking page stops asking, or after ten minutes`() throws {
    var knocks = hosted()
    let (gone, patient) = (try person("Dan"), try person("Eve"))
    try expect(.waiting, of: gone, in: &knocks, at: 0)
    for now in stride(from: 0.0, to: 600, by: 5) {
      let listed = knocks.list(orchard, at: at(now))
      #expect(listed.contains { $0.id == gone.id } == (now < 15))
      try expect(.waiting, of: patient, in: &knocks, at: now)
    }
    let late = Knocks.Request(
      id: patient.id, name: patient.name, address: patient.address, age: .seconds(600))
    expect(.unknownKnock, for: late, in: &knocks, at: 600)
    #expect(knocks.count == 0)
  }

  // MARK: Restarts

  @Test func `after a restart, a waiting person keeps the place in the list`() throws {
    var knocks = Knocks(at: start)
    let dan = try person("Dan", age: 0)
    _ = try knocks.ask(dan, at: orchard, now: start)
    let eve = try person("Eve", age: 90)
    _ = try knocks.ask(eve, at: orchard, now: start + .seconds(1))
    let listed = knocks.list(orchard, at: start + .seconds(4))
    #expect(listed.map(\.id) == [eve.id, dan.id])
  }

  @Test func `after a restart, nobody waits longer than 15 s for a host who does not ask`() throws {
    var knocks = Knocks(at: start)
    let eve = try person()
    let first = try knocks.ask(eve, at: orchard, now: start)
    let last = try knocks.ask(eve, at: orchard, now: start + .seconds(14))
    #expect([first, last] == [.waiting, .waiting])
    #expect(!knocks.hasHost(orchard, at: start + .seconds(14)))
    #expect(throws: PresenceError.noHost) {
      _ = try knocks.ask(eve, at: orchard, now: start + .seconds(15))
    }
  }

  @Test func `an instance that takes over meetings lets people wait for hosts again`() throws {
    var knocks = Knocks(at: start)
    let eve = try person()
    expect(.noHost, for: eve, in: &knocks, at: 100)
    knocks.gainMeetings(at: at(100))
    try expect(.waiting, of: eve, in: &knocks, at: 101)
    expect(.noHost, for: eve, in: &knocks, at: 115)
  }

  @Test func `a stall of the process counts neither as a host's nor as a visitor's silence`()
    throws
  {
    var knocks = hosted()
    let eve = try person()
    try expect(.waiting, of: eve, in: &knocks, at: 0)
    knocks.excuseSilence(of: .seconds(30))
    #expect(knocks.hasHost(orchard, at: at(40)))
    try expect(.waiting, of: eve, in: &knocks, at: 40)
    #expect(knocks.count == 1)
  }

  @Test func `the end of a meeting ends its knocks only`() throws {
    var knocks = hosted()
    _ = knocks.list(belfry, at: at(0))
    let (eve, dan) = (try person("Eve"), try person("Dan"))
    try expect(.waiting, of: eve, in: &knocks, at: 1)
    _ = try knocks.ask(dan, at: belfry, now: at(1))
    knocks.end(orchard)
    #expect(!knocks.hasHost(orchard, at: at(2)))
    let left = knocks.list(belfry, at: at(2))
    #expect(left.map(\.id) == [dan.id])
    #expect(knocks.count == 1)
  }

  // MARK: Attacks

  @Test func `ten thousand knocks from one address leave room for knocks from other addresses`()
    throws
  {
    var (knocks, refused) = (hosted(), 0)
    for _ in 0..<10_000 {
      let mallory = try person("Mallory", from: "192.0.2.1")
      do {
        _ = try knocks.ask(mallory, at: orchard, now: at(1))
      } catch {
        refused += error == .knocksFull ? 1 : 0
      }
    }
    #expect(refused == 10_000 - 8)
    try expect(.waiting, of: person(from: "192.0.2.2"), in: &knocks, at: 1)
    let waiting = knocks.list(orchard, at: at(1))
    #expect(waiting.count == 9)
  }

  @Test func `the number of waiting knocks is limited per meeting and per instance`() throws {
    var rules = Knocks.Rules()
    rules.most = 40
    var knocks = hosted(rules)
    _ = knocks.list(belfry, at: at(0))
    for meeting in [orchard, belfry] {
      for number in 0..<10_000 {
        _ = try? knocks.ask(person(from: "\(number)"), at: meeting, now: at(1))
      }
    }
    let waiting = knocks.list(orchard, at: at(1))
    #expect(waiting.count == 32)
    #expect(knocks.count == 40)
    // The knocks of both meetings expire, even though nobody asks about one of the meetings.
    _ = knocks.list(orchard, at: at(31))
    #expect(knocks.count == 0)
  }

  @Test func `the denial of a knock does not immediately free a place for another knock`() throws {
    var knocks = hosted()
    for _ in 0..<8 { try expect(.waiting, of: person(), in: &knocks, at: 0) }
    for knock in knocks.list(orchard, at: at(1)) {
      try knocks.answer(knock.id, at: orchard, admits: false, now: at(1))
    }
    expect(.knocksFull, for: try person(), in: &knocks, at: 2)
    _ = knocks.list(orchard, at: at(61))
    try expect(.waiting, of: person(), in: &knocks, at: 61)
  }

  @Test func `people who entered free their places for other people of the same address`() throws {
    var rules = Knocks.Rules()
    rules.most = 10
    var knocks = hosted(rules)
    for _ in 0..<20 {
      let guest = try person()
      try expect(.waiting, of: guest, in: &knocks, at: 0)
      try knocks.answer(guest.id, at: orchard, admits: true, now: at(0))
      try knocks.take(guest.id, as: .random(), at: orchard, now: at(0))
      #expect(knocks.count == 0)
    }
    try expect(.waiting, of: person(), in: &knocks, at: 0)
  }
}
