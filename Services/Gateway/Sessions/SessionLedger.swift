import MeetingModel

/// Which services have taken each session in, what a session still waits for, and when that is
/// tried again.
///
/// A session opens in three steps. Before the others see it in the roster it is taken in by the
/// services through which they then expect to reach it; next by presence, which puts it in the
/// roster; then its stream begins, and the remaining services follow while it is open, as does each
/// that was not there in time. A value: answers and the present time go in, ``Effect``s come out,
/// and it is always known of each session and service whether it is asked, waits, or has what it
/// needs.
struct SessionLedger {
  /// When a service takes a session in.
  enum Step: Int, Comparable {
    case beforeRoster
    case roster
    case afterRoster

    static func < (left: Step, right: Step) -> Bool { left.rawValue < right.rawValue }
  }

  /// What a session needs of one service.
  struct Need: Hashable {
    let service: ServiceID
    let step: Step

    /// How long the opening waits for the service.
    var timeout = Duration.zero

    /// Whether the session is refused without it; without another one it begins, to get it later.
    var isEssential = false
  }

  /// One time of asking a service to take a session in, or to give it what it lacks.
  struct Attempt: Hashable, Sendable {
    let session: SessionNumber
    let service: ServiceID
    let number: UInt64
  }

  /// What must be done.
  enum Effect: Hashable {
    /// Ask the service; report by ``answered(_:_:at:)``. An earlier attempt is superseded.
    case ask(Attempt)
    /// The session's stream begins.
    case begin(SessionNumber)
    /// The session cannot be opened; it is forgotten here.
    case refuse(SessionNumber, Status)
    /// The service refused an open session, which goes on without it.
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
    /// `nil` when the session is open.
    var step: Step?

    func index(of service: ServiceID) -> Int? { needs.firstIndex { $0.service == service } }

    /// Whether a service of the present step is still worth waiting for.
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

  /// The pause between two attempts while the session is being opened, and while it is open.
  static let openingPause = Duration.milliseconds(50)
  static let openPause = Duration.milliseconds(200)

  /// How many sessions are open or opening.
  var count: Int { entries.count }

  /// Whether ``advance(to:)`` will have something to do.
  var isWaiting: Bool { !waiting.isEmpty }

  /// Whether a service has taken a session in and owes it nothing.
  func isTakenIn(_ session: SessionNumber, by service: ServiceID) -> Bool {
    guard let entry = entries[session], let index = entry.index(of: service) else { return false }
    return entry.states[index] == .takenIn
  }

  /// What must be done, in order. It is handed over once.
  mutating func takeEffects() -> [Effect] {
    defer { effects = [] }
    return effects
  }

  // MARK: A session's life

  /// A session is to be opened.
  mutating func open(
    _ session: SessionNumber, needing needs: [Need], at now: ContinuousClock.Instant
  ) {
    precondition(entries[session] == nil, "A session is opened once.")
    entries[session] = Entry(
      openedAt: now, needs: needs, states: needs.map { _ in .idle }, step: .beforeRoster)
    ask(session, in: .beforeRoster)
    proceed(session, at: now)
  }

  /// The session is over, or is not to be opened any more. What is answered later is ignored.
  mutating func close(_ session: SessionNumber) {
    guard let entry = entries.removeValue(forKey: session) else { return }
    for need in entry.needs { waiting[Waiting(session: session, service: need.service)] = nil }
  }

  // MARK: Answers

  /// A service has answered an attempt. An answer to one that was superseded says nothing.
  mutating func answered(
    _ attempt: Attempt, _ failure: Status?, at now: ContinuousClock.Instant
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

  /// The service must be asked again for this session: it forgot it, or the client lacks something.
  mutating func lacks(_ session: SessionNumber, _ service: ServiceID) {
    guard let entry = entries[session], let index = entry.index(of: service),
      entry.states[index] != .idle
    else { return }
    ask(session, index)
  }

  /// Asks again what is due.
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
      .ask(Attempt(session: session, service: need.service, number: lastAttempt)))
  }

  /// Goes on to the next step when nothing holds the session back any more.
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

extension SessionLedger.Attempt {
  /// 0.75-1.25, another for each attempt: those who failed together do not come back together.
  fileprivate var jitter: Double {
    // Multiples of the golden ratio spread their fractions evenly.
    let multiple = Double(number) * 0.618_033_988_75
    return 0.75 + (multiple - multiple.rounded(.down)) / 2
  }
}
