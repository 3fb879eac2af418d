import MeetingModel

/// Tracks which services have admitted each session, which services a session still waits for, and
/// when the gateway retries.
///
/// A session opens in three steps:
/// - Before the roster: some services admit the session, because other clients expect to reach
///   every attendee of the roster through these services.
/// - Roster: `presence` adds the session to the roster.
/// - After the roster: the stream begins. The other services then admit the open session. In this
///   step, services that did not answer in an earlier step also admit the session.
///
/// The tracker is a value. Its inputs are the answers and the present time. Its outputs are
/// ``Effect``s. For each session and service, the tracker records one of these states: a request is
/// in progress, a retry is due later, or the service has admitted the session.
struct SessionAdmissionTracker {
  /// The step of the opening at which a service admits a session.
  enum Step: Int, Comparable {
    case beforeRoster
    case roster
    case afterRoster

    static func < (left: Step, right: Step) -> Bool { left.rawValue < right.rawValue }
  }

  /// The need of a session for one service.
  struct Need: Hashable {
    let service: ServiceID
    let step: Step

    /// How long the opening may wait for the service.
    var timeout = Duration.zero

    /// Whether the gateway rejects the session if the service does not admit it.
    ///
    /// If the value is `false`, the session begins, and the service admits the session later.
    var isEssential = false
  }

  /// One request to a service to admit a session, or to send the events that the client has missed.
  struct ServiceRequest: Hashable, Sendable {
    let session: SessionNumber
    let service: ServiceID
    let number: UInt64
  }

  /// An action that the caller carries out.
  enum Effect: Hashable {
    /// Call the service, and report the result to ``answered(_:_:at:)``. The new attempt replaces
    /// an earlier attempt.
    case ask(ServiceRequest)
    /// Begin the session's stream.
    case begin(SessionNumber)
    /// Reject the session. The gateway cannot open the session, and the tracker has removed the
    /// session.
    case refuse(SessionNumber, Status)
    /// Continue without the service, because the service rejected the session.
    case goOnWithout(ServiceID, SessionNumber, Status)
  }

  private enum State: Hashable {
    case idle
    case asked(attempt: UInt64)
    case waiting(until: ContinuousClock.Instant)
    case takenIn
    case refused
  }

  private struct Entry {
    let openedAt: ContinuousClock.Instant
    let needs: [Need]
    var states: [State]
    /// The present step; `nil` after the session has opened.
    var step: Step?

    func index(of service: ServiceID) -> Int? { needs.firstIndex { $0.service == service } }

    /// Returns whether the session still waits for a service of the present step.
    func isHeld(at now: ContinuousClock.Instant) -> Bool {
      needs.indices.contains { index in
        guard needs[index].step == step else { return false }
        switch states[index] {
        case .asked: return true
        case .waiting:
          return needs[index].isEssential || now < openedAt + needs[index].timeout
        case .idle, .takenIn, .refused: return false
        }
      }
    }
  }

  private struct Waiting: Hashable {
    let session: SessionNumber
    let service: ServiceID
  }

  private var entries: [SessionNumber: Entry] = [:]
  private var waiting: [Waiting: ContinuousClock.Instant] = [:]
  private var effects: [Effect] = []
  private var lastAttempt: UInt64 = 0

  /// The pause between two attempts for a session that has not opened yet.
  static let openingPause = Duration.milliseconds(50)

  /// The pause between two attempts for an open session.
  static let openPause = Duration.milliseconds(200)

  /// The number of sessions that are open or opening.
  var count: Int { entries.count }

  /// Whether ``advance(to:)`` has retries to make now or later.
  var isWaiting: Bool { !waiting.isEmpty }

  /// Returns whether a service has admitted a session, and whether the session's client also has
  /// all events of the service.
  func isTakenIn(_ session: SessionNumber, by service: ServiceID) -> Bool {
    guard let entry = entries[session], let index = entry.index(of: service) else { return false }
    return entry.states[index] == .takenIn
  }

  /// Removes and returns the effects, in order.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  // MARK: Start and end

  /// Begins to open a session.
  mutating func open(
    _ session: SessionNumber, needing needs: [Need], at now: ContinuousClock.Instant
  ) {
    precondition(entries[session] == nil, "A session is opened once.")
    entries[session] = Entry(
      openedAt: now, needs: needs, states: needs.map { _ in .idle }, step: .beforeRoster)
    ask(session, in: .beforeRoster)
    proceed(session, at: now)
  }

  /// Removes a session that has ended, or that the gateway no longer opens.
  ///
  /// The tracker ignores later answers.
  mutating func close(_ session: SessionNumber) {
    guard let entry = entries.removeValue(forKey: session) else { return }
    for need in entry.needs { waiting[Waiting(session: session, service: need.service)] = nil }
  }

  // MARK: Answers

  /// Records a service's answer to an attempt.
  ///
  /// Ignores the answer to a replaced attempt.
  mutating func answered(
    _ attempt: ServiceRequest, _ failure: Status?, at now: ContinuousClock.Instant
  ) {
    guard let entry = entries[attempt.session], let index = entry.index(of: attempt.service),
      entry.states[index] == .asked(attempt: attempt.number)
    else { return }
    let need = entry.needs[index]
    switch failure {
    case nil:
      set(.takenIn, attempt.session, index)
    case let status? where status.isTransient:
      let isLate = entry.step == need.step && now >= entry.openedAt + need.timeout
      if isLate, need.isEssential { return refuse(attempt.session, status) }
      let pause = entry.step == nil || isLate ? Self.openPause : Self.openingPause
      set(.waiting(until: now + pause * attempt.jitter), attempt.session, index)
    case let status?:
      if entry.step != nil, need.isEssential { return refuse(attempt.session, status) }
      set(.refused, attempt.session, index)
      effects.append(.goOnWithout(attempt.service, attempt.session, status))
    }
    proceed(attempt.session, at: now)
  }

  /// Asks a service again to admit a session. The service has lost the session, or the client has
  /// missed events.
  mutating func lacks(_ session: SessionNumber, _ service: ServiceID) {
    guard let entry = entries[session], let index = entry.index(of: service),
      entry.states[index] != .idle
    else { return }
    ask(session, index)
  }

  /// Makes the retries that are due.
  mutating func advance(to now: ContinuousClock.Instant) {
    for (key, moment) in waiting where moment <= now {
      guard let index = entries[key.session]?.index(of: key.service) else { continue }
      ask(key.session, index)
    }
  }

  // MARK: Steps

  private mutating func ask(_ session: SessionNumber, in step: Step) {
    guard let entry = entries[session] else { return }
    for index in entry.needs.indices
    where entry.needs[index].step == step && entry.states[index] == .idle {
      ask(session, index)
    }
  }

  private mutating func ask(_ session: SessionNumber, _ index: Int) {
    guard let need = entries[session]?.needs[index] else { return }
    lastAttempt += 1
    set(.asked(attempt: lastAttempt), session, index)
    effects.append(
      .ask(ServiceRequest(session: session, service: need.service, number: lastAttempt)))
  }

  /// Moves the session to the next step, unless the session still waits for a service of the
  /// present step.
  private mutating func proceed(_ session: SessionNumber, at now: ContinuousClock.Instant) {
    while let entry = entries[session], let step = entry.step, !entry.isHeld(at: now) {
      switch step {
      case .beforeRoster:
        entries[session]?.step = .roster
        ask(session, in: .roster)
      case .roster, .afterRoster:
        entries[session]?.step = nil
        effects.append(.begin(session))
        ask(session, in: .afterRoster)
      }
    }
  }

  private mutating func refuse(_ session: SessionNumber, _ status: Status) {
    close(session)
    effects.append(.refuse(session, status))
  }

  private mutating func set(_ state: State, _ session: SessionNumber, _ index: Int) {
    guard let need = entries[session]?.needs[index] else { return }
    entries[session]?.states[index] = state
    let key = Waiting(session: session, service: need.service)
    if case .waiting(let moment) = state { waiting[key] = moment } else { waiting[key] = nil }
  }
}

extension SessionAdmissionTracker.ServiceRequest {
  /// A factor from 0.75 to 1.25 that differs between attempts. It spreads the retries of attempts
  /// that failed together.
  fileprivate var jitter: Double {
    // Multiples of the golden ratio have evenly distributed fractional parts.
    let multiple = Double(number) * 0.618_033_988_75
    return 0.75 + (multiple - multiple.rounded(.down)) / 2
  }
}
