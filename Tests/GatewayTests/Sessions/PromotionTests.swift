import MeetingModel
import TestSupport
import Testing
import Wire

@testable import Gateway

/// Tests of the state machine of one session's promotion: each arrow of the machine's diagram, and
/// random histories.
@Suite struct PromotionTests {
  private let ada = V1.GatewaySession(participantID: "ada", isPromoted: true)

  @Test func `a promotion that never began has no record and does not end`() {
    let promotion = Watched()
    #expect(promotion.record == nil)
    #expect(promotion.end() == nil)
    promotion.change { $0.isMuted = true }
    #expect(promotion.record == nil)
  }

  @Test func `a successful attempt begins a promotion, which ends only once`() throws {
    let promotion = Watched()
    let attempt = try #require(promotion.begin())
    #expect(promotion.record == nil)
    #expect(promotion.succeed(attempt, as: ada))
    #expect(promotion.record == ada)
    #expect(promotion.end() == ada)
    #expect(promotion.record == nil)
    #expect(promotion.end() == nil)
  }

  @Test func `a failed promotion attempt changes nothing`() throws {
    let promotion = Watched()
    let attempt = try #require(promotion.begin())
    promotion.fail(attempt)
    #expect(!promotion.succeed(attempt, as: ada))
    #expect(promotion.record == nil)
    #expect(promotion.begin() != nil)
  }

  @Test func `an abandoned attempt that succeeds later does not promote the attendee`() throws {
    let promotion = Watched()
    let attempt = try #require(promotion.begin())
    #expect(promotion.end() == nil)
    #expect(promotion.begin() == nil)
    #expect(promotion.end() == nil)
    #expect(!promotion.succeed(attempt, as: ada))
    #expect(promotion.record == nil)
    #expect(promotion.begin() != nil)
  }

  @Test func `if an abandoned attempt fails, the next attempt is permitted`() throws {
    let promotion = Watched()
    let attempt = try #require(promotion.begin())
    _ = promotion.end()
    promotion.fail(attempt)
    #expect(promotion.begin() != nil)
  }

  @Test func `no attempt begins while another attempt is in progress or has succeeded`() throws {
    let promotion = Watched()
    let attempt = try #require(promotion.begin())
    #expect(promotion.begin() == nil)
    #expect(promotion.succeed(attempt, as: ada))
    #expect(promotion.begin() == nil)
  }

  @Test func `an older promotion attempt does not affect a newer attempt`() throws {
    let promotion = Watched()
    let older = try #require(promotion.begin())
    promotion.fail(older)
    let newer = try #require(promotion.begin())
    promotion.fail(older)
    #expect(!promotion.succeed(older, as: ada))
    #expect(promotion.record == nil)
    #expect(promotion.succeed(newer, as: ada))
    promotion.fail(newer)
    #expect(promotion.record == ada)
  }

  @Test func `a promotion request stays valid until a demotion is requested`() throws {
    var promotion = Promotion()
    let wish = promotion.wish
    let attempt = promotion.begin()
    #expect(promotion.stands(wish))
    promotion.fail(try #require(attempt))
    #expect(promotion.stands(wish))
    _ = promotion.end()
    #expect(!promotion.stands(wish))
    #expect(promotion.stands(wish.afterItsOwnEnd))
    #expect(promotion.stands(promotion.wish))
  }

  @Test func `the rights of a promoted attendee can change`() throws {
    let promotion = Watched()
    let attempt = try #require(promotion.begin())
    #expect(promotion.succeed(attempt, as: ada))
    promotion.change { $0.isMutedByOperator = true }
    #expect(promotion.record?.isMutedByOperator == true)
    #expect(promotion.end()?.isMutedByOperator == true)
  }

  @Test(arguments: 0..<500) func `each attempt has one outcome, and each promotion ends once`(
    seed: Int
  ) {
    var history = PromotionHistory(seed: UInt64(seed))
    for step in 0..<200 {
      history.operate()
      #expect(history.broken == nil, "Seed \(seed), step \(step).")
      guard history.broken == nil else { return }
    }
  }
}

/// A class that contains a promotion, so that expectations may change the promotion.
private final class Watched {
  private var promotion = Promotion()

  var record: V1.GatewaySession? { promotion.record }

  func begin() -> Promotion.Attempt? { promotion.begin() }

  func succeed(_ attempt: Promotion.Attempt, as record: V1.GatewaySession) -> Bool {
    promotion.succeed(attempt, as: record)
  }

  func fail(_ attempt: Promotion.Attempt) { promotion.fail(attempt) }

  func end() -> V1.GatewaySession? { promotion.end() }

  func change(_ body: (inout V1.GatewaySession) -> Void) { promotion.change(body) }
}

/// A promotion, and the state that its caller knows.
private struct PromotionHistory {
  private var random: SeededGenerator
  private var promotion = Promotion()

  /// The unanswered attempt, and whether the caller has abandoned this attempt.
  private var underWay: (attempt: Promotion.Attempt, isGivenUp: Bool)?
  private var answered: [Promotion.Attempt] = []
  private var promoted: V1.GatewaySession?

  /// The first violated invariant.
  private(set) var broken: String?

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func operate() {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<3: begin()
    case 3..<6: answer()
    case 6: repeatAnAnswer()
    case 7: promotion.change { _ in }
    default: end()
    }
    check(promotion.record == promoted, "the record is not of who is promoted")
  }

  private mutating func begin() {
    let attempt = promotion.begin()
    let mayBegin = underWay == nil && promoted == nil
    check((attempt != nil) == mayBegin, "an attempt begins beside another, or does not begin")
    if let attempt { underWay = (attempt, false) }
  }

  private mutating func answer() {
    guard let (attempt, isGivenUp) = underWay else { return }
    underWay = nil
    answered.append(attempt)
    guard Bool.random(using: &random) else { return promotion.fail(attempt) }
    let record = V1.GatewaySession(participantID: "attendee-\(answered.count)")
    let holds = promotion.succeed(attempt, as: record)
    check(holds != isGivenUp, "an attempt that was given up holds, or one that was not does not")
    if holds { promoted = record }
  }

  /// Repeats an earlier answer. The repetition must have no effect.
  private mutating func repeatAnAnswer() {
    guard let attempt = answered.randomElement(using: &random) else { return }
    if Bool.random(using: &random) {
      promotion.fail(attempt)
    } else {
      check(!promotion.succeed(attempt, as: V1.GatewaySession()), "an attempt succeeds twice")
    }
  }

  private mutating func end() {
    check(promotion.end() == promoted, "an end does not say who was promoted")
    promoted = nil
    underWay?.isGivenUp = true
  }

  private mutating func check(_ holds: Bool, _ promise: String) {
    if !holds, broken == nil { broken = promise }
  }
}
