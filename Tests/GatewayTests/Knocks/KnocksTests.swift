import MeetingModel
import Testing

@testable import Gateway

/// Tests of the decisions about knocks: who may wait, for how long, and who answers.
@Suite struct KnocksTests {
  private let orchard = MeetingID.random()
  private let belfry = MeetingID.random()

  private func name(_ text: String = "Eve") throws -> DisplayName { try DisplayName(typed: text) }

  private func expect(
    _ state: Knocks.State, of knock: String, in knocks: inout Knocks, now: Int64
  ) throws {
    let found = try knocks.ask(knock, now: now).state
    #expect(found == state)
  }

  /// Returns a `Knocks` in which a host is present in `orchard`.
  private func hosted(_ rules: Knocks.Rules = Knocks.Rules()) -> Knocks {
    var knocks = Knocks(rules: rules)
    _ = knocks.list(for: orchard, now: 0)
    return knocks
  }

  @Test func `a host sees the waiting people in the order of their knocks and admits one person`()
    throws
  {
    var knocks = hosted()
    let eve = try knocks.knock(at: orchard, as: name("Eve"), from: "::1", now: 1)
    let dan = try knocks.knock(at: orchard, as: name("Dan"), from: "::1", now: 2)
    let listed = knocks.list(for: orchard, now: 3)
    #expect(listed.map(\.name.text) == ["Eve", "Dan"])
    #expect(!listed.map(\.id).contains(eve))
    try knocks.answer(listed[1].id, at: orchard, admits: true, now: 4)
    try expect(.admitted, of: dan, in: &knocks, now: 5)
    try expect(.waiting, of: eve, in: &knocks, now: 5)
    let left = knocks.list(for: orchard, now: 6)
    #expect(left.map(\.name.text) == ["Eve"])
  }

  @Test func `an admitted person can enter once, within a minute`() throws {
    var knocks = hosted()
    let eve = try knocks.knock(at: orchard, as: name(), from: "::1", now: 0)
    let dan = try knocks.knock(at: orchard, as: name("Dan"), from: "::1", now: 0)
    for knock in knocks.list(for: orchard, now: 1) {
      try knocks.answer(knock.id, at: orchard, admits: true, now: 1)
    }
    let taken = [knocks.take(eve), knocks.take(eve)]
    #expect(taken == [true, false])
    #expect(throws: KnockRefusal.unknown) { try knocks.ask(eve, now: 2) }
    #expect(throws: KnockRefusal.unknown) { try knocks.ask(dan, now: 60_001) }
  }

  @Test func `a denied person gets the answer that the host denied the knock`() throws {
    var knocks = hosted()
    let eve = try knocks.knock(at: orchard, as: name(), from: "::1", now: 0)
    let listed = knocks.list(for: orchard, now: 1)
    let id = try #require(listed.first?.id)
    try knocks.answer(id, at: orchard, admits: false, now: 1)
    try expect(.denied, of: eve, in: &knocks, now: 2)
    // A second answer changes nothing.
    #expect(throws: KnockRefusal.unknown) {
      try knocks.answer(id, at: orchard, admits: true, now: 3)
    }
  }

  @Test func `a host answers only the knocks of its own meeting`() throws {
    var knocks = hosted()
    _ = try knocks.knock(at: orchard, as: name(), from: "::1", now: 0)
    let listed = knocks.list(for: orchard, now: 1)
    let id = try #require(listed.first?.id)
    let others = knocks.list(for: belfry, now: 1)
    #expect(others.isEmpty)
    #expect(throws: KnockRefusal.unknown) {
      try knocks.answer(id, at: belfry, admits: true, now: 1)
    }
  }

  @Test func `nobody can knock or wait while no host is present`() throws {
    var knocks = hosted()
    #expect(throws: KnockRefusal.noHost) {
      _ = try knocks.knock(at: belfry, as: name(), from: "::1", now: 0)
    }
    let eve = try knocks.knock(at: orchard, as: name(), from: "::1", now: 10_000)
    try expect(.waiting, of: eve, in: &knocks, now: 14_999)
    #expect(throws: KnockRefusal.noHost) { try knocks.ask(eve, now: 15_000) }
    #expect(throws: KnockRefusal.unknown) { try knocks.ask(eve, now: 15_000) }
  }

  @Test func `a knock expires when the knocking page stops asking, or after ten minutes`() throws {
    var knocks = hosted()
    let gone = try knocks.knock(at: orchard, as: name(), from: "::1", now: 0)
    let patient = try knocks.knock(at: orchard, as: name(), from: "::1", now: 0)
    for now in stride(from: Int64(0), to: 600_000, by: 5_000) {
      _ = knocks.list(for: orchard, now: now)
      try expect(.waiting, of: patient, in: &knocks, now: now)
    }
    #expect(throws: KnockRefusal.unknown) { try knocks.ask(gone, now: 599_000) }
    #expect(throws: KnockRefusal.unknown) { try knocks.ask(patient, now: 600_000) }
    #expect(knocks.count == 0)
  }

  // MARK: Attacks

  @Test func `ten thousand knocks from one address leave room for knocks from other addresses`()
    throws
  {
    var (knocks, refused) = (hosted(), 0)
    for _ in 0..<10_000 {
      do {
        _ = try knocks.knock(at: orchard, as: name("Mallory"), from: "192.0.2.1", now: 1)
      } catch {
        refused += error as? KnockRefusal == .crowded ? 1 : 0
      }
    }
    #expect(refused == 10_000 - 8)
    _ = try knocks.knock(at: orchard, as: name(), from: "192.0.2.2", now: 1)
    let waiting = knocks.list(for: orchard, now: 1)
    #expect(waiting.count == 9)
  }

  @Test func `the number of waiting knocks is limited per meeting and per gateway`() throws {
    var rules = Knocks.Rules()
    rules.most = 40
    var knocks = hosted(rules)
    _ = knocks.list(for: belfry, now: 0)
    for meeting in [orchard, belfry] {
      for number in 0..<10_000 {
        _ = try? knocks.knock(at: meeting, as: name(), from: "\(number)", now: 1)
      }
    }
    let waiting = knocks.list(for: orchard, now: 1)
    #expect(waiting.count == 32)
    #expect(knocks.count == 40)
  }

  @Test func `the denial of a knock does not immediately free a place for another knock`() throws {
    var knocks = hosted()
    for _ in 0..<8 { _ = try knocks.knock(at: orchard, as: name(), from: "::1", now: 0) }
    for knock in knocks.list(for: orchard, now: 1) {
      try knocks.answer(knock.id, at: orchard, admits: false, now: 1)
    }
    #expect(throws: KnockRefusal.crowded) {
      _ = try knocks.knock(at: orchard, as: name(), from: "::1", now: 2)
    }
    _ = knocks.list(for: orchard, now: 60_001)
    _ = try knocks.knock(at: orchard, as: name(), from: "::1", now: 60_002)
  }
}
