/// The promotion of a replica's session, as its application hears of it.
///
///     watching ──promote──► asking ──ok──► promoted ──promote──► asking, still promoted
///        ▲                    │               │                        │
///        └────── refused, interrupted ────────┴── demoted, in any way ─┘
///
/// A value: calls and reports go in, what to do comes out, in that order. Each call is answered
/// exactly once. Each promotion that succeeded ends exactly once, and its observer hears of it,
/// unless another promotion took its place. A refused one leaves an older one as it is.
///
/// `Call` is what the application asked, and whom it is answered to.
struct PromotionMachine<Call: Sendable>: Sendable {
  /// What is to be done.
  enum Effect: Sendable {
    /// The server is asked; its answer names the number.
    case ask(_ number: Int, Call)
    /// The server is told that the session only watches again.
    case leave
    /// The session acts as this attendee now, or as nobody.
    case act(as: PromotedAttendee?)
    /// A promotion is answered.
    case promoted(Call, MeetingSessionStatusCode)
    /// A promotion has ended.
    case demoted(Call, MeetingSessionStatusCode)
  }

  private struct Attempt: Sendable {
    let number: Int
    let call: Call
  }

  private struct Promotion: Sendable {
    let attendee: PromotedAttendee
    let call: Call
  }

  private var attempt: Attempt?
  private var promotion: Promotion?
  private var isOver = false
  private var lastNumber = 0

  // MARK: The application

  /// The application asks to be promoted. While it waits for an answer, it may not ask again.
  mutating func promote(for call: Call) -> [Effect] {
    guard !isOver else { return [.promoted(call, .audioServiceUnavailable)] }
    guard attempt == nil else { return [.promoted(call, .audioInternalServerError)] }
    lastNumber += 1
    attempt = Attempt(number: lastNumber, call: call)
    return [.ask(lastNumber, call)]
  }

  /// The application wants to watch only, and no longer waits for an answer.
  mutating func demote() -> [Effect] { end(.ok) }

  // MARK: The server

  /// The server has answered. Nobody waits any more for an answer of another number.
  mutating func answer(
    _ number: Int, _ answer: Result<PromotedAttendee, PromotionRefusal>
  ) -> [Effect] {
    guard let attempt, attempt.number == number else { return [] }
    self.attempt = nil
    switch answer {
    case .success(let attendee):
      promotion = Promotion(attendee: attendee, call: attempt.call)
      return [.act(as: attendee), .promoted(attempt.call, .ok)]
    case .failure(let refusal):
      return [.promoted(attempt.call, refusal.statusCode)]
    }
  }

  /// The server has ended the promotion as that attendee.
  mutating func endedByServer(
    as attendeeId: String, _ status: MeetingSessionStatusCode
  ) -> [Effect] {
    guard let promotion, promotion.attendee.attendeeId == attendeeId else { return [] }
    self.promotion = nil
    return [.act(as: nil), .demoted(promotion.call, status)]
  }

  // MARK: The connection

  /// The connection is lost, and with it the answer that is waited for.
  mutating func connectionWasLost() -> [Effect] {
    guard let attempt else { return [] }
    self.attempt = nil
    return [.leave, .promoted(attempt.call, .audioInternalServerError)]
  }

  /// The connection is back: nobody speaks on without having asked to.
  mutating func connectionIsBack() -> [Effect] { end(.audioInternalServerError) }

  /// The session is over.
  mutating func finish() -> [Effect] {
    isOver = true
    return end(.audioInternalServerError)
  }

  private mutating func end(_ status: MeetingSessionStatusCode) -> [Effect] {
    guard attempt != nil || promotion != nil else { return [] }
    var effects: [Effect] = [.leave]
    if let attempt { effects.append(.promoted(attempt.call, .audioInternalServerError)) }
    if let promotion {
      effects += [.act(as: nil), .demoted(promotion.call, status)]
    }
    (attempt, promotion) = (nil, nil)
    return effects
  }
}
