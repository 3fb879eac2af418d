/// An attendee, under the meeting's id and under the application's.
struct AttendeeName: Hashable, Sendable {
  let attendeeID: String
  let externalUserID: String
}
