internal import Bus
package import Output
package import Wire

extension OperatorConnection {
  /// Lists all meetings page by page, in order of creation.
  package func meetings() async throws(CommandFailure) -> [V1.MeetingRecord] {
    var meetings: [V1.MeetingRecord] = []
    while true {
      let page = try await call(
        V1.OperatorMethods.listMeetings,
        V1.ListMeetingsRequest(afterMeetingID: meetings.last?.meetingID ?? "", limit: 1000))
      meetings += page.meetings
      guard page.hasMore, !page.meetings.isEmpty else { return meetings }
    }
  }

  /// Lists all attendees of a meeting page by page, in order of creation.
  package func attendees(of meeting: String) async throws(CommandFailure) -> [V1.AttendeeRecord] {
    var attendees: [V1.AttendeeRecord] = []
    while true {
      let page = try await call(
        V1.OperatorMethods.listAttendees,
        V1.ListAttendeesRequest(
          meetingID: meeting, afterAttendeeID: attendees.last?.attendeeID ?? "", limit: 1000))
      attendees += page.attendees
      guard page.hasMore, !page.attendees.isEmpty else { return attendees }
    }
  }

  /// Lists the stored data messages of a meeting page by page, oldest first.
  package func messages(of meeting: String) async throws(CommandFailure) -> [V1.DataMessage] {
    var messages: [V1.DataMessage] = []
    var position: UInt64 = 0
    while true {
      let page = try await call(
        V1.OperatorMethods.listMessages,
        V1.ListMessagesRequest(meetingID: meeting, afterSequence: position))
      messages += page.messages
      guard page.hasMore, page.throughSequence > position else { return messages }
      position = page.throughSequence
    }
  }
}
