import MeetingModel
import Storage

extension RequestPart where Value == MeetingRequest {
  /// The body of CreateMeeting and CreateMeetingWithAttendees.
  ///
  /// - Parameter most: How many attendees are made with the meeting; `nil` if none are.
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

  /// What a request for a meeting says with a key of one tenant: it need not name the tenant.
  ///
  /// Done before the fingerprint is taken, so that equal requests of two tenants are not one.
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
