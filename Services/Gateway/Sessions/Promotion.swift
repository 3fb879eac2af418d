import Wire

/// Whether a replica's session acts in its primary meeting, and how far that has come.
///
///     watching ──begin──► promoting ──succeed──► promoted
///        ▲                 │     │                  │
///        │             end │     │ fail             │ end
///        │                 ▼     │                  │
///        ├─── settle ── given up │                  │
///        └───────────────────────┴──────────────────┘
///
/// A value. An attempt ends in exactly one success or failure, and a promotion that succeeded in
/// exactly one ``end()`` that says whom it was promoted as, whatever comes in between. While an
/// attempt is under way no other begins, also when it was given up: the services are told of one
/// after the other. Any disconnect ends a promotion: it is no part of what a client resumes.
struct Promotion {
  /// One try to be promoted.
  struct Attempt: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// That the client wants to be promoted, from when it says so until anybody wants the end.
  ///
  /// Before an attempt begins the store is asked whose the credentials are. Requests of one session
  /// hold in the order in which they came: a demotion that comes meanwhile ends what was asked
  /// before it.
  struct Request: Hashable, Sendable {
    fileprivate let ends: UInt64

    /// The same wish after the end of another promotion that it asked for itself.
    var afterItsOwnEnd: Request { Request(ends: ends + 1) }
  }

  private enum Phase {
    case watching
    case promoting(Attempt)
    /// Nobody wants any more what is still under way.
    case givenUp(Attempt)
    case promoted(V1.GatewaySession)
  }

  private var phase = Phase.watching
  private var last: UInt64 = 0
  private var ends: UInt64 = 0

  /// The session as presence has it in the primary, while it is promoted.
  var record: V1.GatewaySession? {
    if case .promoted(let record) = phase { record } else { nil }
  }

  /// The client's wish as it is uttered now.
  var wish: Request { Request(ends: ends) }

  /// Whether nobody has wanted the end since.
  func stands(_ wish: Request) -> Bool { wish.ends == ends }

  /// The client asks to be promoted.
  ///
  /// - Returns: `nil` when it is promoted, or an attempt is under way.
  mutating func begin() -> Attempt? {
    guard case .watching = phase else { return nil }
    last += 1
    phase = .promoting(Attempt(number: last))
    return Attempt(number: last)
  }

  /// Presence has agreed.
  ///
  /// - Returns: Whether it holds. If not, the attempt was given up meanwhile and must be undone.
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

  /// Somebody has refused.
  mutating func fail(_ attempt: Attempt) {
    switch phase {
    case .promoting(attempt), .givenUp(attempt): phase = .watching
    case .watching, .promoting, .givenUp, .promoted: break
    }
  }

  /// The session only watches from now on; what is under way is given up.
  ///
  /// - Returns: Whom it was promoted as; `nil` if it was not.
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

  /// What the attendee may do in the primary, or whether it is muted there, has changed.
  mutating func change(_ body: (inout V1.GatewaySession) -> Void) {
    guard var record else { return }
    body(&record)
    phase = .promoted(record)
  }
}
