public import Bus
public import MeetingModel
internal import ZeroMQ

/// An owner that lets a value decide and does what it wants done.
///
/// It decides inline on its thread. What is shown during recovery is not all that is, so calls that
/// show it wait with ``whenSettled(_:_:ifGivenUp:)`` until it is over.
public protocol DecidingService: OwningService {
  /// What decides.
  associatedtype Core: OwnedCore

  /// Its decisions. ``OwningService/open()`` makes it anew.
  var core: Core { get set }

  /// Now, as the core is told it.
  var moment: Core.Moment { get }

  /// Does what the core wants done.
  func carryOut(_ effect: Core.Effect)

  /// The core has decided something; what it wants done is done next.
  func didDecide(since start: ContinuousClock.Instant)

  /// Recovery is over, and whoever waited for that has been answered.
  func didRecover()
}

extension DecidingService where Core.Moment == ContinuousClock.Instant {
  /// The beginning of the thread's present turn.
  public var moment: ContinuousClock.Instant { owner.thread.now }
}

extension DecidingService {
  public func didDecide(since start: ContinuousClock.Instant) {}
  public func didRecover() {}
  public func excuseSilence(of stall: Duration) { core.excuseSilence(of: stall) }

  public func isVouchedFor(by gateways: Set<GatewayName>) -> Bool {
    core.isVouchedFor(by: gateways)
  }

  public var meetingCount: Int { core.meetingCount }
  public func take(_ share: MeetingShare) { decide { $0.take(share, at: $1) } }

  /// Tells the core during recovery which gateways live.
  public func expectGateways() async throws {
    guard core.isRecovering else { return }
    let gateways = try await owner.registry.liveGateways()
    decide { $0.expect(gateways, at: $1) }
  }

  public func lookAround() async throws { try await expectGateways() }

  // MARK: Deciding

  /// Lets the core decide and does what it wants done, also if it refuses.
  @discardableResult
  public func decide<Answer>(
    _ body: (inout Core, Core.Moment) throws -> Answer
  ) rethrows -> Answer {
    listenBeforeJudging()
    let start = ContinuousClock.now
    defer {
      didDecide(since: start)
      carryOut()
    }
    return try body(&core, moment)
  }

  /// Does what is to be done until nothing is left; what is done may bring more.
  private func carryOut() {
    guard !owner.isCarryingOut else { return }
    owner.isCarryingOut = true
    while true {
      let effects = core.takeEffects()
      guard !effects.isEmpty else { break }
      for effect in effects { carryOut(effect) }
    }
    owner.isCarryingOut = false
    if core.isRecovering { owner.hasRecovered = false } else { settle() }
    arm()
  }

  private func settle() {
    guard !owner.hasRecovered else { return }
    owner.hasRecovered = true
    owner.waiting.answerAll()
    didRecover()
  }

  private func arm() {
    guard let deadline = core.nextDeadline, owner.isOpen else { return }
    // The timer goes with the owner's sockets, while the service lives.
    owner.timer.arm(for: deadline) {
      self.decide { $0.advance(to: $1) }
    }
  }

  // MARK: Meetings of others

  /// The meeting that a request names.
  ///
  /// - Throws: ``OwnershipError/notOwner`` if another instance answers for it.
  public func owned(_ text: String) throws -> MeetingID {
    let meeting = try MeetingID(text)
    try require(meeting)
    return meeting
  }

  /// - Throws: ``OwnershipError/notOwner`` if another instance answers for a meeting.
  public func require(_ meeting: MeetingID) throws(OwnershipError) {
    guard core.serves(meeting) else { throw .notOwner }
  }

  // MARK: Answers that wait for recovery

  /// Answers a call with what `answer` gives or throws, once nothing of the meeting is missing.
  ///
  /// - Parameter ifGivenUp: Called instead if the caller does not wait for that, or the meeting has
  ///   come to another instance meanwhile, which the caller is told.
  public func whenSettled<Reply>(
    _ call: Call<Reply>, of meeting: MeetingID, _ answer: @escaping () throws -> Reply,
    ifGivenUp: (() -> Void)? = nil
  ) {
    let act = { [owner] in
      do { call.reply(try answer()) } catch { call.fail(owner.refusal(error)) }
    }
    guard core.isRecovering(meeting) else { return act() }
    owner.waiting.add(call, ifGivenUp: ifGivenUp) {
      // What is forgotten here would be shown as empty.
      if self.core.serves(meeting) { return act() }
      ifGivenUp?()
      call.fail(self.owner.refusal(OwnershipError.notOwner))
    }
  }
}
