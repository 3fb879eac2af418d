public import Foundation

/// What the control API answered to CreateAttendee.
public final class CreateAttendeeResponse: NSObject, Sendable {
  let attendee: Attendee

  /// Wraps an attendee as the control API answers it.
  public init(attendee: Attendee) {
    self.attendee = attendee
  }

  /// Takes the answer as it came over HTTP, `{"Attendee": {…}}`. An addition of Carillon.
  ///
  /// - Throws: `DecodingError` when a field is missing or of the wrong type.
  public convenience init(json: Data) throws {
    let attendee = try JSONDecoder().decode(CreateAttendeeDocument.self, from: json).attendee
    self.init(
      attendee: Attendee(
        attendeeId: attendee.attendeeId, externalUserId: attendee.externalUserId,
        joinToken: attendee.joinToken))
  }
}

/// An attendee, as the control API answers it.
public final class Attendee: NSObject, Sendable {
  let attendeeId: String
  let externalUserId: String
  let joinToken: String

  /// Makes an attendee from the fields of `CreateAttendee`'s answer. The token is a secret.
  public init(attendeeId: String, externalUserId: String, joinToken: String) {
    self.attendeeId = attendeeId
    self.externalUserId = externalUserId
    self.joinToken = joinToken
  }
}
