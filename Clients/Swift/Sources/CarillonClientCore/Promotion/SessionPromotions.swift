import Dispatch

/// The promotions of one run of a session: does what the ``PromotionMachine`` says.
///
/// Observers hear on main, in the order of what happened. It is part of the run's state, and
/// guarded by its lock: the link may be asked for something there, and answers later.
struct SessionPromotions: Sendable {
  /// An application's call, until its promotion has ended.
  private struct Call: Sendable {
    let credentials: MeetingSessionCredentials
    let observer: MainBound<any PrimaryMeetingPromotionObserver>
  }

  private var machine = PromotionMachine<Call>()
  /// The link holds on to the run, and thereby to this.
  private weak var connection: (any SessionConnection)?
  private let identity: LocalIdentity
  private let contentShare: DefaultContentShareController

  init(over connection: any SessionConnection, _ voices: SessionObservers) {
    self.connection = connection
    identity = voices.identity
    contentShare = voices.contentShare
  }

  // MARK: What happens

  mutating func promote(
    as credentials: MeetingSessionCredentials,
    telling observer: MainBound<any PrimaryMeetingPromotionObserver>
  ) {
    perform(machine.promote(for: Call(credentials: credentials, observer: observer)))
  }

  mutating func demote() { perform(machine.demote()) }

  mutating func answer(_ number: Int, _ answer: Result<PromotedAttendee, PromotionRefusal>) {
    perform(machine.answer(number, answer))
  }

  mutating func endedByServer(as attendeeId: String, _ status: MeetingSessionStatusCode) {
    perform(machine.endedByServer(as: attendeeId, status))
  }

  mutating func connectionWasLost() { perform(machine.connectionWasLost()) }

  mutating func connectionIsBack() { perform(machine.connectionIsBack()) }

  mutating func finish() { perform(machine.finish()) }

  // MARK: What is done about it

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
    _ observer: MainBound<any PrimaryMeetingPromotionObserver>, _ code: MeetingSessionStatusCode
  ) {
    DispatchQueue.main.async {
      observer.value.didPromoteToPrimaryMeeting(status: MeetingSessionStatus(statusCode: code))
    }
  }

  private static func tellDemoted(
    _ observer: MainBound<any PrimaryMeetingPromotionObserver>, _ code: MeetingSessionStatusCode
  ) {
    DispatchQueue.main.async {
      observer.value.didDemoteFromPrimaryMeeting(status: MeetingSessionStatus(statusCode: code))
    }
  }

  /// What one attendee of the primary shared ends with its promotion. The source is the
  /// application's, and not called while the state is locked.
  private func act(as attendee: PromotedAttendee?) {
    let former = identity.promoted
    identity.act(as: attendee)
    guard let former, former.attendeeId != attendee?.attendeeId else { return }
    DispatchQueue.main.async { [contentShare] in contentShare.stopContentShare() }
  }
}
