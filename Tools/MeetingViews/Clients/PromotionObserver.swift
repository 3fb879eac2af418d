internal import CarillonClientCore

/// Converts the callbacks about one promotion to events.
final class PromotionObserver: PrimaryMeetingPromotionObserver, Sendable {
  private let attendee: AttendeeName
  private let onEvent: @Sendable (ObservedEvent) -> Void

  init(of attendee: AttendeeName, onEvent: @escaping @Sendable (ObservedEvent) -> Void) {
    self.attendee = attendee
    self.onEvent = onEvent
  }

  func didPromoteToPrimaryMeeting(status: MeetingSessionStatus) { tell(.promoted, status) }
  func didDemoteFromPrimaryMeeting(status: MeetingSessionStatus) { tell(.demoted, status) }

  private func tell(_ step: ObservedEvent.Promotion, _ status: MeetingSessionStatus) {
    let code = status.statusCode
    onEvent(.promotion(step, attendee, status: Int(code.rawValue), name: "\(code)"))
  }
}
