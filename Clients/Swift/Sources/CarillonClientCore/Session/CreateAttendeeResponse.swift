public import Foundation

/// The control API's answer to CreateAttendee.
public final class CreateAttendeeResponse: NSObject, Sendable {
  let attendee: Attendee

  /// Creates a response from an attendee.
  public init(attendee: Attendee) {
    self.attendee = attendee
  }

  /// Creates a response from the HTTP body of the answer, `{"Attendee": {…}}`.
  ///
  /// Carillon adds this initializer to the interface of the meetings SDK for iOS.
  ///
  /// - Throws: `DecodingError` when a field is missing or of the wrong type.
  public convenience init(json: Data) throws {
    let attendee = try JSONDecoder().decode(CreateAttendeeResponseDocument.self, from: json)
      .attendee
    self.init(
      attendee: Attendee(
        attendeeId: attendee.attendeeId, externalUserId: attendee.externalUserId,
        joinToken: attendee.joinToken))
  }
}

/// An attendee, as the control API returns it.
public final class Attendee: NSObject, Sendable {
  let attendeeId: String
  let externalUserId: String
  let joinToken: String

  /// Creates an attendee from the fields of `CreateAttendee`'s answer. The token is a secret.
  public init(attendeeId: String, externalUserId: String, joinToken: String) {
    self.attendeeId = attendeeId
    self.externalUserId = externalUserId
    self.joinToken = joinToken
  }
}
