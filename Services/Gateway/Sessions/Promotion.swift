import Wire

/// The state of a replica's session on its way into the primary meeting.
///
///     watching ──begin──► promoting ──succeed──► promoted
///        ▲                 │     │                  │
///        │             end │     │ fail             │ end
///        │                 ▼     │                  │
///        ├─── settle ── given up │                  │
///        └───────────────────────┴──────────────────┘
///
/// ``Promotion`` is a value type. An attempt ends in exactly one success or failure. Exactly one
/// call of ``end()`` returns the record of a successful promotion. Each service receives the
/// attempts one after the other. So no attempt begins while another attempt is in progress, even
/// after the cancellation of the other attempt. Any disconnect ends a promotion: a client that
/// resumes its session is not promoted.
struct Promotion {
  /// One attempt at promotion.
  struct Attempt: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// A client's request for promotion. The request is valid until a client, an operator or a
  /// service requests the promotion's end.
  ///
  /// Before an attempt begins, the store checks the credentials. Requests of one session apply in
  /// order of arrival: a demotion that arrives during this check cancels earlier requests.
  struct Request: Hashable, Sendable {
    fileprivate let ends: UInt64

    /// The request to use after the gateway has ended the session's earlier promotion. That end
    /// makes this request invalid, but the returned request remains valid.
    var afterItsOwnEnd: Request { Request(ends: ends + 1) }
  }

  private enum Phase {
    case watching
    case promoting(Attempt)
    /// The promoter cancelled the attempt, but the attempt is still in progress.
    case givenUp(Attempt)
    case promoted(V1.GatewaySession)
  }

  private var phase = Phase.watching
  private var last: UInt64 = 0
  private var ends: UInt64 = 0

  /// The session's record in the primary; `nil` unless the session is promoted.
  var record: V1.GatewaySession? {
    if case .promoted(let record) = phase { record } else { nil }
  }

  /// A new request for promotion, made now.
  var wish: Request { Request(ends: ends) }

  /// Returns whether a request is still valid: nobody has requested the promotion's end since the
  /// request.
  func stands(_ wish: Request) -> Bool { wish.ends == ends }

  /// Begins an attempt.
  ///
  /// - Returns: The attempt; `nil` if the session is promoted or an attempt is in progress.
  mutating func begin() -> Attempt? {
    guard case .watching = phase else { return nil }
    last += 1
    phase = .promoting(Attempt(number: last))
    return Attempt(number: last)
  }

  /// Records that `presence` agreed.
  ///
  /// - Returns: Whether the promotion is valid. If the promotion is invalid, ``end()`` has
  ///   cancelled the attempt, and the caller must undo the attempt.
  mutating func succeed(_ attempt: Attempt, as record: V1.GatewaySession) -> Bool {
    switch phase {
    case .promoting(attempt):
      phase = .promoted(record)
      return true
    case .givenUp(attempt):
      phase = .watching
      return false
    case .watching, .promoting, .givenUp, .promoted:
      return false
    }
  }

  /// Records that an attempt failed.
  mutating func fail(_ attempt: Attempt) {
    switch phase {
    case .promoting(attempt), .givenUp(attempt): phase = .watching
    case .watching, .promoting, .givenUp, .promoted: break
    }
  }

  /// Ends the promotion, and cancels an attempt in progress.
  ///
  /// Afterwards, the session only watches.
  ///
  /// - Returns: The record of the promotion; `nil` if the session was not promoted.
  mutating func end() -> V1.GatewaySession? {
    ends += 1
    switch phase {
    case .promoted(let record):
      phase = .watching
      return record
    case .promoting(let attempt):
      phase = .givenUp(attempt)
      return nil
    case .watching, .givenUp:
      return nil
    }
  }

  /// Changes the rights or the mute state of the attendee in the primary.
  mutating func change(_ body: (inout V1.GatewaySession) -> Void) {
    guard var record else { return }
    body(&record)
    phase = .promoted(record)
  }
}
