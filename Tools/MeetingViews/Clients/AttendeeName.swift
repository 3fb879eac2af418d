/// An attendee, under the meeting's id and under the application's.
package struct AttendeeName: Hashable, Sendable {
  package let attendeeID: String
  package let externalUserID: String

  package init(attendeeID: String, externalUserID: String) {
    self.attendeeID = attendeeID
    self.externalUserID = externalUserID
  }
}
