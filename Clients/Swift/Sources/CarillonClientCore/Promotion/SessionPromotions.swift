import Dispatch

/// The promotions of one run of a session. This type performs the effects of the
/// ``PromotionMachine``.
///
/// This type calls observers on the main thread, in the order of the events. The run's lock guards
/// this value. Code may call the connection under that lock, because the connection answers later.
struct SessionPromotions: Sendable {
  /// An application's call for a promotion. This type keeps the value until the promotion has
  /// ended.
  private struct Call: Sendable {
    let credentials: MeetingSessionCredentials
    let observer: MainQueueBox<any PrimaryMeetingPromotionObserver>
  }

  private var machine = PromotionMachine<Call>()
  /// This reference is weak, because the connection retains the run, and the run contains this
  /// value.
  private weak var connection: (any SessionConnection)?
  private let identity: LocalAttendeeIdentity
  private let contentShare: DefaultContentShareController

  init(over connection: any SessionConnection, _ voices: SessionObservers) {
    self.connection = connection
    identity = voices.identity
    contentShare = voices.contentShare
  }

  // MARK: Events

  mutating func promote(
    as credentials: MeetingSessionCredentials,
    telling observer: MainQueueBox<any PrimaryMeetingPromotionObserver>
  ) {
    perform(machine.promote(for: Call(credentials: credentials, observer: observer)))
  }

  mutating func demote() { perform(machine.demote()) }

  mutating func answer(_ number: Int, _ answer: Result<PrimaryMeetingAttendee, PromotionRefusal>) {
    perform(machine.answer(number, answer))
  }

  mutating func endedByServer(as attendeeId: String, _ status: MeetingSessionStatusCode) {
    perform(machine.endedByServer(as: attendeeId, status))
  }

  mutating func connectionWasLost() { perform(machine.connectionWasLost()) }

  mutating func connectionIsBack() { perform(machine.connectionIsBack()) }

  mutating func finish() { perform(machine.finish()) }

  // MARK: Effects

  private func perform(_ effects: [PromotionMachine<Call>.Effect]) {
    for effect in effects {
      switch effect {
      case .ask(let number, let call):
        connection?.promote(as: call.credentials, number)
      case .leave:
        connection?.demote()
      case .act(let attendee):
        act(as: attendee)
      case .promoted(let call, let code):
        Self.tellPromoted(call.observer, code)
      case .demoted(let call, let code):
        Self.tellDemoted(call.observer, code)
      }
    }
  }

  static func tellPromoted(
    _ observer: MainQueueBox<any PrimaryMeetingPromotionObserver>, _ code: MeetingSessionStatusCode
  ) {
    DispatchQueue.main.async {
      observer.value.didPromoteToPrimaryMeeting(status: MeetingSessionStatus(statusCode: code))
    }
  }

  private static func tellDemoted(
    _ observer: MainQueueBox<any PrimaryMeetingPromotionObserver>, _ code: MeetingSessionStatusCode
  ) {
    DispatchQueue.main.async {
      observer.value.didDemoteFromPrimaryMeeting(status: MeetingSessionStatus(statusCode: code))
    }
  }

  /// Changes the identity, and ends the content share of the previous attendee.
  ///
  /// The content share's source belongs to the application, so this method must not call the source
  /// while this method holds the lock of the state.
  private func act(as attendee: PrimaryMeetingAttendee?) {
    let former = identity.promoted
    identity.act(as: attendee)
    guard let former, former.attendeeId != attendee?.attendeeId else { return }
    DispatchQueue.main.async { [contentShare] in contentShare.stopContentShare() }
  }
}
