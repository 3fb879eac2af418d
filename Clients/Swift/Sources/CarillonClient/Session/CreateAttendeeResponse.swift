public import Foundation

/// What the control API answered to CreateAttendee.
public final class CreateAttendeeResponse: NSObject, Sendable {
  let attendee: Attendee

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
