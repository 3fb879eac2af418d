/// The state machine of the promotion of a replica's session.
///
///     watching ──promote──► asking ──ok──► promoted ──promote──► asking, still promoted
///        ▲                    │               │                        │
///        └────── refused, interrupted ────────┴── demoted, in any way ─┘
///
/// The machine is a value without I/O: calls and reports return the effects to perform, in order.
/// Each call gets exactly one answer. Each successful promotion ends exactly once. The observer of
/// a promotion learns of the end of this promotion, unless a newer promotion has replaced this
/// promotion. A rejected promotion does not change an older promotion.
///
/// `Call` is the application's request, together with the receiver of the answer to the request.
struct PromotionMachine<Call: Sendable>: Sendable {
  /// An effect to perform.
  enum Effect: Sendable {
    /// Request the promotion from the server. The server's answer carries the same number.
    case ask(_ number: Int, Call)
    /// Request the demotion from the server.
    case leave
    /// Act as this attendee until the next ``act(as:)``; after `nil`, act as the attendee of the
    /// replica again.
    case act(as: PrimaryMeetingAttendee?)
    /// Answer a promotion.
    case promoted(Call, MeetingSessionStatusCode)
    /// Report the end of a promotion.
    case demoted(Call, MeetingSessionStatusCode)
  }

  private struct Attempt: Sendable {
    let number: Int
    let call: Call
  }

  private struct Promotion: Sendable {
    let attendee: PrimaryMeetingAttendee
    let call: Call
  }

  private var attempt: Attempt?
  private var promotion: Promotion?
  private var isOver = false
  private var lastNumber = 0

  // MARK: The application

  /// Handles the application's request for a promotion. Only one promotion may wait for its answer
  /// at a time.
  mutating func promote(for call: Call) -> [Effect] {
    guard !isOver else { return [.promoted(call, .audioServiceUnavailable)] }
    guard attempt == nil else { return [.promoted(call, .audioInternalServerError)] }
    lastNumber += 1
    attempt = Attempt(number: lastNumber, call: call)
    return [.ask(lastNumber, call)]
  }

  /// Handles the application's request for a demotion. The request also cancels a promotion that
  /// has no answer yet.
  mutating func demote() -> [Effect] { end(.ok) }

  // MARK: The server

  /// Handles the server's answer. Ignores an answer with another number.
  mutating func answer(
    _ number: Int, _ answer: Result<PrimaryMeetingAttendee, PromotionRefusal>
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

  /// Handles the report that the server has ended the promotion to the given attendee.
  mutating func endedByServer(
    as attendeeId: String, _ status: MeetingSessionStatusCode
  ) -> [Effect] {
    guard let promotion, promotion.attendee.attendeeId == attendeeId else { return [] }
    self.promotion = nil
    return [.act(as: nil), .demoted(promotion.call, status)]
  }

  // MARK: The connection

  /// Handles the loss of the connection. A pending answer does not arrive after the loss of the
  /// connection.
  mutating func connectionWasLost() -> [Effect] {
    guard let attempt else { return [] }
    self.attempt = nil
    return [.leave, .promoted(attempt.call, .audioInternalServerError)]
  }

  /// Ends the promotion, because the session has restored its connection. So others hear the
  /// attendee again only after the application has requested another promotion.
  mutating func connectionIsBack() -> [Effect] { end(.audioInternalServerError) }

  /// Handles the end of the session.
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
