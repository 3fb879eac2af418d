import MeetingModel
import Storage

// The operations: a request's values are read, the control plane is asked, the answer is written.
extension RESTFace {
  // MARK: Meetings

  /// - Parameter most: How many attendees are made with the meeting; `nil` if none are.
  func createMeeting(
    _ request: RESTRequest, as operation: RESTOperation, with most: Int?, for caller: Caller
  ) async throws(RESTError) -> RESTResponse {
    let body = Self.object(try Self.object(in: request), of: caller.tenant)
    let members = JSONMembers(body)
    var attendees: [AttendeeRequest] = []
    if let most { attendees = try members.attendeeRequests(most: most) }
    let asked = try members.meetingRequest(
      fingerprint: Self.fingerprint(of: body, operation),
      placementBase: try placementBase(for: request), attendees: attendees, control.settings)
    if let tenant = caller.tenant, asked.tenantIDs != [tenant] {
      throw RESTError(.forbidden, "This key makes meetings of its own tenant only.")
    }
    if let primary = asked.primaryID { try await checkMeeting(primary, for: caller) }
    let created = try await done { () async throws(Status) in
      try await control.createMeeting(asked)
    }
    var answer: [String: JSONValue] = [:]
    if most != nil { answer = JSONValue.members(of: created.enrolled) }
    answer["Meeting"] = JSONValue(created.meeting, control.settings)
    return RESTResponse(.ok, .object(answer))
  }

  func getMeeting(_ id: MeetingID) async throws(RESTError) -> RESTResponse {
    let meeting = try await done { () async throws(Status) in try await control.meeting(id) }
    return RESTResponse(.ok, .object(["Meeting": JSONValue(meeting, control.settings)]))
  }

  func deleteMeeting(_ id: MeetingID) async throws(RESTError) -> RESTResponse {
    try await done { () async throws(Status) in
      try await control.endMeeting(id, because: .deleted)
    }
    return RESTResponse(.noContent)
  }

  // MARK: Attendees

  func createAttendee(
    _ request: RESTRequest, in meeting: String
  ) async throws(RESTError) -> RESTResponse {
    let asked = try JSONMembers(Self.object(in: request)).attendeeRequest()
    let meeting = try Self.meetingID(meeting)
    let issued = try await done { () async throws(Status) in
      try await control.createAttendee(asked, in: meeting)
    }
    return RESTResponse(.ok, .object(["Attendee": JSONValue(issued)]))
  }

  func createAttendees(
    _ request: RESTRequest, in meeting: String
  ) async throws(RESTError) -> RESTResponse {
    let asked = try JSONMembers(Self.object(in: request)).attendeeRequests(most: 100)
    let meeting = try Self.meetingID(meeting)
    let enrolled = try await done { () async throws(Status) in
      try await control.createAttendees(asked, in: meeting)
    }
    return RESTResponse(.ok, .object(JSONValue.members(of: enrolled)))
  }

  func getAttendee(
    _ id: AttendeeID, in meeting: MeetingID
  ) async throws(RESTError) -> RESTResponse {
    let issued = try await done { () async throws(Status) in
      try await control.attendee(id, in: meeting)
    }
    return RESTResponse(.ok, .object(["Attendee": JSONValue(issued)]))
  }

  func listAttendees(
    _ query: QueryParameters, in meeting: MeetingID
  ) async throws(RESTError) -> RESTResponse {
    let limit = try Self.pageSize(query.single("max-results"))
    let pages = PageToken(control.store.tokens, for: meeting)
    let position = try pages.position(askedBy: query)
    let page = try await done { () async throws(Status) in
      try await control.listAttendees(in: meeting, after: position, limit: limit)
    }
    var answer: [String: JSONValue] = [
      "Attendees": .array(page.elements.map(JSONValue.init(_:)))
    ]
    answer["NextToken"] = page.next.map { .string(pages.text(for: $0)) }
    return RESTResponse(.ok, .object(answer))
  }

  func deleteAttendee(
    _ id: AttendeeID, in meeting: MeetingID
  ) async throws(RESTError) -> RESTResponse {
    try await done { () async throws(Status) in try await control.deleteAttendee(id, in: meeting) }
    return RESTResponse(.noContent)
  }

  // MARK: Capabilities

  func updateCapabilities(
    _ request: RESTRequest, of id: String, in meeting: String
  ) async throws(RESTError) -> RESTResponse {
    let members = JSONMembers(try Self.object(in: request))
    let capabilities = try members.required("Capabilities", members.capabilities())
    let id = try Self.attendeeID(id)
    let meeting = try Self.meetingID(meeting)
    let issued = try await done { () async throws(Status) in
      try await control.updateCapabilities(capabilities, attendee: id, in: meeting)
    }
    return RESTResponse(.ok, .object(["Attendee": JSONValue(issued)]))
  }

  func updateCapabilitiesExcept(
    _ request: RESTRequest, in meeting: String
  ) async throws(RESTError) -> RESTResponse {
    let members = JSONMembers(try Self.object(in: request))
    let capabilities = try members.required("Capabilities", members.capabilities())
    let excluded = try members.excludedAttendees()
    let meeting = try Self.meetingID(meeting)
    try await done { () async throws(Status) in
      try await control.updateCapabilities(capabilities, allExcept: excluded, in: meeting)
    }
    return RESTResponse(.ok)
  }

  // MARK: Transcription

  func startTranscription(
    _ request: RESTRequest, of meeting: String
  ) async throws(RESTError) -> RESTResponse {
    let members = JSONMembers(try Self.object(in: request))
    let configuration = try members.transcriptionConfiguration()
    let meeting = try Self.meetingID(meeting)
    _ = try await done { () async throws(Status) in
      try await control.startTranscription(configuration, of: meeting)
    }
    return RESTResponse(.ok)
  }

  func stopTranscription(of meeting: String) async throws(RESTError) -> RESTResponse {
    let meeting = try Self.meetingID(meeting)
    _ = try await done { () async throws(Status) in
      try await control.stopTranscription(of: meeting)
    }
    return RESTResponse(.ok)
  }

  // MARK: Reading requests

  static func meetingID(_ text: String) throws(RESTError) -> MeetingID {
    do { return try MeetingID(text) } catch {
      throw RESTError(.badRequest, "MeetingId: \(error.status.message)")
    }
  }

  static func attendeeID(_ text: String) throws(RESTError) -> AttendeeID {
    do { return try AttendeeID(text) } catch {
      throw RESTError(.badRequest, "AttendeeId: \(error.status.message)")
    }
  }

  /// The body, which must be one JSON object.
  static func object(
    in request: RESTRequest
  ) throws(RESTError) -> [String: JSONValue] {
    if !request.body.isEmpty {
      // A body without a type is one that a browser sends for any page without asking.
      let type = request.header("Content-Type") ?? ""
      let mediaType = type.prefix { $0 != ";" }.filter { !$0.isWhitespace }
      guard mediaType.lowercased() == "application/json" else {
        throw RESTError(.unsupportedMediaType, "The body must be application/json.")
      }
    }
    guard !request.body.isEmpty else {
      throw RESTError(.serialization, "The body is empty; it must be a JSON object.")
    }
    let value: JSONValue
    do { value = try JSONParser.parse(request.body) } catch {
      // The character U+0000 is JSON, and a value that nobody may have.
      throw RESTError(
        error.isUnusableValue ? .badRequest : .serialization,
        "The body is \(error.problem), after \(error.position) bytes.")
    }
    guard case .object(let members) = value else {
      throw RESTError(.serialization, "The body must be a JSON object.")
    }
    return members
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
    of body: [String: JSONValue], _ operation: RESTOperation
  ) -> RequestFingerprint {
    let values = JSONValue.object(body).withoutNulls
    return RequestFingerprint(of: Array("\(operation.rawValue)\n\(values.text)".utf8))
  }

  static func pageSize(_ text: String?, most: Int = 100) throws(RESTError) -> Int {
    guard let text else { return most }
    guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(text), (1...most).contains(number)
    else { throw RESTError(.badRequest, "max-results must be a whole number from 1 to \(most).") }
    return number
  }

  /// What the meeting's URLs are built on: as configured, or what this client found us by.
  func placementBase(for request: RESTRequest) throws(RESTError) -> String {
    if let configured = control.settings.publicURL { return configured.text }
    guard let host = request.header("Host"), !host.isEmpty else {
      return control.settings.localURL.text
    }
    guard let base = PublicURL(authority: host, isSecure: control.settings.localURL.isSecure)
    else {
      throw RESTError(.badRequest, "The Host header names no host.")
    }
    return base.text
  }

  /// Asks the control plane; what it refuses with becomes what clients know.
  func done<Value>(
    _ work: () async throws(Status) -> Value
  ) async throws(RESTError) -> Value {
    do { return try await work() } catch { throw RESTError(error) }
  }
}
