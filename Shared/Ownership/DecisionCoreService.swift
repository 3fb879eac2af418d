public import Bus
public import MeetingModel
internal import ZeroMQ

/// A service that owns meetings. A value, the core, makes the service's decisions. The service
/// carries out the effects of these decisions.
///
/// Decisions run synchronously on the owner's thread. During recovery the state is incomplete.
/// Calls that return state therefore wait with ``whenSettled(_:_:ifGivenUp:)`` until recovery ends.
public protocol DecisionCoreService: OwningService {
  /// The type of the value that decides.
  associatedtype Core: DecisionCore

  /// The value that decides. ``OwningService/open()`` makes a new value.
  var core: Core { get set }

  /// The current time that this type passes to the core.
  var moment: Core.Moment { get }

  /// Carries out an effect of the core.
  func carryOut(_ effect: Core.Effect)

  /// Called after each decision, before this type carries out the effects of the decision.
  func didDecide(since start: ContinuousClock.Instant)

  /// Called after recovery has ended and this type has answered all waiting calls.
  func didRecover()
}

extension DecisionCoreService where Core.Moment == ContinuousClock.Instant {
  /// The start of the thread's present turn.
  public var moment: ContinuousClock.Instant { owner.thread.now }
}

extension DecisionCoreService {
  public func didDecide(since start: ContinuousClock.Instant) {}
  public func didRecover() {}
  public func excuseSilence(of stall: Duration) { core.excuseSilence(of: stall) }

  public func isVouchedFor(by gateways: Set<GatewayName>) -> Bool {
    core.isVouchedFor(by: gateways)
  }

  public var meetingCount: Int { core.meetingCount }
  public func take(_ share: OwnedMeetings) { decide { $0.take(share, at: $1) } }

  /// During recovery, passes the names of the live gateways to the core. Otherwise does nothing.
  public func expectGateways() async throws {
    guard core.isRecovering else { return }
    let gateways = try await owner.registry.liveGateways()
    decide { $0.expect(gateways, at: $1) }
  }

  public func lookAround() async throws { try await expectGateways() }

  // MARK: Deciding

  /// Lets the core decide, and carries out the effects even if the core throws.
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

  /// Carries out effects until none is left. An effect may cause further effects.
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
    // The owner cancels the timer when the owner closes its sockets, so the service still exists
    // when the timer fires.
    owner.timer.arm(for: deadline) {
      self.decide { $0.advance(to: $1) }
    }
  }

  // MARK: Meetings of other instances

  /// Returns the meeting that a request names.
  ///
  /// - Throws: ``OwnershipError/notOwner`` if another instance serves the meeting.
  public func owned(_ text: String) throws -> MeetingID {
    let meeting = try MeetingID(text)
    try require(meeting)
    return meeting
  }

  /// - Throws: ``OwnershipError/notOwner`` if another instance serves the meeting.
  public func require(_ meeting: MeetingID) throws(OwnershipError) {
    guard core.serves(meeting) else { throw .notOwner }
  }

  // MARK: Answers that wait for recovery

  /// Answers a call with the result of `answer`, as soon as the meeting's state is complete.
  ///
  /// - Parameter ifGivenUp: Called instead of `answer` if the caller cancels, or if the meeting
  ///   moves to another instance. In the second case, the caller receives
  ///   ``OwnershipError/notOwner``.
  public func whenSettled<Reply>(
    _ call: Call<Reply>, of meeting: MeetingID, _ answer: @escaping () throws -> Reply,
    ifGivenUp: (() -> Void)? = nil
  ) {
    let act = { [owner] in
      do { call.reply(try answer()) } catch { call.fail(owner.refusal(error)) }
    }
    guard core.isRecovering(meeting) else { return act() }
    owner.waiting.add(call, ifGivenUp: ifGivenUp) {
      // If this instance has removed the meeting, the core would answer as if the meeting were
      // empty.
      if self.core.serves(meeting) { return act() }
      ifGivenUp?()
      call.fail(self.owner.refusal(OwnershipError.notOwner))
    }
  }
}
