public import Foundation

/// An attendee, as the control API answers it.
public final class Attendee: NSObject, Sendable {
  let attendeeId: String
  let externalUserId: String
  let joinToken: String

  public init(attendeeId: String, externalUserId: String, joinToken: String) {
    self.attendeeId = attendeeId
    self.externalUserId = externalUserId
    self.joinToken = joinToken
  }
}
