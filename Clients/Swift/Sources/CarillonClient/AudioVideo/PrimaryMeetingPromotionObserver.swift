/// Hears how a promotion from a replica meeting into its primary meeting fares. All calls come on
/// main.
public protocol PrimaryMeetingPromotionObserver: AnyObject {
  /// Answers a promotion, once. `ok`: the attendee acts in the primary meeting now.
  func didPromoteToPrimaryMeeting(status: MeetingSessionStatus)

  /// The promotion has ended, once for each one that had succeeded.
  func didDemoteFromPrimaryMeeting(status: MeetingSessionStatus)
}
