import MeetingModel

extension Meeting {
  /// Returns a meeting as a value of the store's type.
  static func sample(primary: MeetingID? = nil) throws -> Meeting {
    Meeting(
      id: .random(), externalID: try ExternalMeetingID("standup"),
      region: try MediaRegion("us-east-1"), primaryID: primary,
      createdAt: 0, placementBase: "http://gateway.test")
  }
}

extension Attendee {
  /// Returns an attendee of a meeting, as a value of the store's type.
  static func sample(in meeting: MeetingID) throws -> Attendee {
    Attendee(
      id: .random(), meetingID: meeting, externalUserID: try ExternalUserID("ada"),
      capabilities: .all, isMutedByOperator: false, createdAt: 0, ordinal: 1)
  }
}
