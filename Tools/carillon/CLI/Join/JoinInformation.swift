internal import Bus
internal import LocalInstallation
internal import MeetingViews
internal import Output
internal import Wire

/// The data that a new attendee needs to join.
struct JoinInformation: Sendable {
  let attendee: AttendeeName
  /// The join token, a secret that no log may contain.
  let joinToken: String
  /// The gateway's endpoint for clients.
  let gateway: String

  /// Creates an attendee through `service Operator` of a running gateway.
  static func create(
    in meeting: String, for user: String, _ runtime: InstallationSelectionOptions
  ) async throws -> JoinInformation {
    let gateway = try RunningGateway.find(in: runtime.places)
    return try await runtime.withOperator {
      try await create(in: meeting, for: user, by: $0, gateway: gateway.clientEndpoint)
    }
  }

  /// Creates an attendee who joins through the given endpoint.
  static func create(
    in meeting: String, for user: String, by connection: OperatorConnection, gateway: String
  ) async throws(CommandFailure) -> JoinInformation {
    let record = try await connection.call(
      V1.OperatorMethods.createAttendee,
      V1.CreateAttendeeRequest(meetingID: meeting, externalUserID: user))
    return JoinInformation(
      attendee: AttendeeName(
        attendeeID: record.attendeeID, externalUserID: record.externalUserID),
      joinToken: record.joinToken, gateway: gateway)
  }
}
