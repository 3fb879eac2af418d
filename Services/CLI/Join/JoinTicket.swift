internal import Bus
internal import Wire

/// What a new attendee needs to join.
struct JoinTicket: Sendable {
  let attendee: AttendeeName
  /// A secret: not for logs.
  let joinToken: String
  /// The gateway's endpoint for clients.
  let gateway: String

  /// Creates an attendee by `service Operator`.
  static func create(
    in meeting: String, for user: String, _ runtime: RuntimeOptions
  ) async throws -> JoinTicket {
    let gateway = try RunningGateway.find(in: runtime.places)
    let record = try await runtime.withOperator {
      try await $0.call(
        V1.OperatorMethods.createAttendee,
        V1.CreateAttendeeRequest(meetingID: meeting, externalUserID: user))
    }
    return JoinTicket(
      attendee: AttendeeName(
        attendeeID: record.attendeeID, externalUserID: record.externalUserID),
      joinToken: record.joinToken, gateway: gateway.clientEndpoint)
  }
}
