/// The control API's JSON answer to CreateAttendee, with the members that a client needs.
struct CreateAttendeeResponseDocument: Decodable {
  struct Attendee: Decodable {
    let attendeeId: String
    let externalUserId: String
    let joinToken: String

    enum CodingKeys: String, CodingKey {
      case attendeeId = "AttendeeId"
      case externalUserId = "ExternalUserId"
      case joinToken = "JoinToken"
    }
  }

  let attendee: Attendee

  enum CodingKeys: String, CodingKey {
    case attendee = "Attendee"
  }
}
