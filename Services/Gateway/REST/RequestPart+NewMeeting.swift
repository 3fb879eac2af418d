import MeetingModel
import Storage

extension RequestPart where Value == MeetingRequest {
  /// Returns the part that reads the body of CreateMeeting and CreateMeetingWithAttendees.
  ///
  /// - Parameter most: The maximum number of attendees in the body; `nil` for a body without
  ///   attendees.
  static func newMeeting(attendees most: Int? = nil) -> RequestPart {
    RequestPart(.body) { (call) throws(RESTError) in
      let body = object(try RESTHandler.object(in: call.request), of: call.caller.tenant)
      let members = JSONMembers(body)
      var attendees: [AttendeeRequest] = []
      if let most { attendees = try members.attendeeRequests(most: most) }
      return try members.meetingRequest(
        fingerprint: fingerprint(of: body, call.route.operation.name),
        placementBase: try call.face.placementBase(for: call.request), attendees: attendees,
        call.face.control.settings)
    }
  }

  /// Adds the tenant of the caller's key to a body without tenants.
  ///
  /// The fingerprint then includes the tenant, so equal requests of two tenants have different
  /// fingerprints.
  private static func object(
    _ body: [String: JSONValue], of tenant: TenantID?
  ) -> [String: JSONValue] {
    guard let tenant, (body["TenantIds"] ?? .null) == .null else { return body }
    return body.merging(["TenantIds": .array([.string(tenant.text)])]) { $1 }
  }

  private static func fingerprint(
    of body: [String: JSONValue], _ operation: RESTOperation.Name
  ) -> RequestFingerprint {
    let values = JSONValue.object(body).withoutNulls
    return RequestFingerprint(of: Array("\(operation.labelValue)\n\(values.text)".utf8))
  }
}
