import ServiceHost

/// The operations of the REST face, as metrics name them.
enum RESTOperation: String, MetricLabel {
  case createMeeting = "CreateMeeting"
  case createMeetingWithAttendees = "CreateMeetingWithAttendees"
  case getMeeting = "GetMeeting"
  case deleteMeeting = "DeleteMeeting"
  case createAttendee = "CreateAttendee"
  case batchCreateAttendee = "BatchCreateAttendee"
  case getAttendee = "GetAttendee"
  case listAttendees = "ListAttendees"
  case deleteAttendee = "DeleteAttendee"
  case updateAttendeeCapabilities = "UpdateAttendeeCapabilities"
  case batchUpdateAttendeeCapabilitiesExcept = "BatchUpdateAttendeeCapabilitiesExcept"
  case startMeetingTranscription = "StartMeetingTranscription"
  case stopMeetingTranscription = "StopMeetingTranscription"
  case tagResource = "TagResource"
  case untagResource = "UntagResource"
  case listTagsForResource = "ListTagsForResource"
  case putClientEvents = "PutClientEvents"
  case listMeetings = "ListMeetings"
  case getRoster = "GetRoster"
  case setMuted = "SetMuted"
  case kickAttendee = "KickAttendee"
  case allowAttendee = "AllowAttendee"
  case setLocked = "SetLocked"
  case listMessages = "ListMessages"
  case listEvents = "ListEvents"
  case getAttendance = "GetAttendance"
  case getLimits = "GetLimits"
  case getServices = "GetServices"
  case eraseUser = "EraseUser"
  case listWebhooks = "ListWebhooks"
  case createWebhook = "CreateWebhook"
  case getWebhook = "GetWebhook"
  case setWebhook = "SetWebhook"
  case deleteWebhook = "DeleteWebhook"
  case replayWebhook = "ReplayWebhook"
  case getOpenAPI = "GetOpenAPI"
  case getEndpoints = "GetEndpoints"
  case getHealth = "GetHealth"
  case describeWeb = "DescribeWeb"
  case joinFromWeb = "JoinFromWeb"
  case captionFromWeb = "CaptionFromWeb"
  /// The request names no operation that there is.
  case unknown = "Unknown"

  static let labelName = "operation"
}

/// What a request asks for: an operation and what its path names, decoded and not yet checked.
///
/// Not hummingbird's router: that has no routes by query, and resolves doubled slashes, which name
/// nothing here.
enum RESTRoute: Hashable {
  case createMeeting
  case createMeetingWithAttendees
  case getMeeting(String)
  case deleteMeeting(String)
  case createAttendee(meeting: String)
  case batchCreateAttendee(meeting: String)
  case getAttendee(String, meeting: String)
  case listAttendees(meeting: String)
  case deleteAttendee(String, meeting: String)
  case updateAttendeeCapabilities(String, meeting: String)
  case batchUpdateAttendeeCapabilitiesExcept(meeting: String)
  case startTranscription(meeting: String)
  case stopTranscription(meeting: String)
  case tagResource
  case untagResource
  case listTagsForResource

  /// Clients tell what happened to their sessions; a join token is what proves who they are.
  case putClientEvents
  /// One of those that the published interface does not have.
  case extended(ExtendedRoute)
  /// Carillon's own operation for client libraries; it needs no signature.
  case getEndpoints
  /// Load balancers ask it; it needs no signature.
  case getHealth

  /// What the page asks first; it needs no signature.
  case describeWeb
  /// The page's own operations, for whom the lobby lets in.
  case joinFromWeb
  case captionFromWeb(meeting: String)

  /// `nil` unless method, path and the `operation` parameter are together those of an operation.
  ///
  /// Works on the path as it was sent, with one decoding of each segment: dot segments and doubled
  /// slashes mean nothing.
  init?(method: String, path: String, operations: [String]) {
    guard path.hasPrefix("/"), operations.count <= 1 else { return nil }
    var segments: [String] = []
    for segment in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let decoded = PercentEncoding.decode(segment), !decoded.isEmpty else { return nil }
      segments.append(decoded)
    }
    self.init(method, segments, operations.first)
  }

  private init?(_ method: String, _ path: [String], _ operation: String?) {
    switch (method, path.first, path.count, operation) {
    case ("POST", "meetings", 1, nil): self = .createMeeting
    case ("POST", "meetings", 1, "create-attendees"): self = .createMeetingWithAttendees
    case ("GET", "meetings", 2, nil): self = .getMeeting(path[1])
    case ("DELETE", "meetings", 2, nil): self = .deleteMeeting(path[1])
    case ("POST", "meetings", 3, "start") where path[2] == "transcription":
      self = .startTranscription(meeting: path[1])
    case ("POST", "meetings", 3, "stop") where path[2] == "transcription":
      self = .stopTranscription(meeting: path[1])
    case (_, "meetings", 3..., _) where path[2] == "attendees":
      self.init(method, attendeesOf: path[1], path[3...], operation)
    case ("POST", "tags", 1, "tag-resource"): self = .tagResource
    case ("POST", "tags", 1, "untag-resource"): self = .untagResource
    case ("GET", "tags", 1, nil): self = .listTagsForResource
    case ("POST", "v1", 2, _) where path[1] == "client-events": self = .putClientEvents
    case ("GET", "healthz", 1, _): self = .getHealth
    case ("GET", "carillon", 3, _) where path == ["carillon", "v1", "endpoints"]:
      self = .getEndpoints
    case (_, "carillon", 3..., nil) where path[1] == "v1" && path[2] == "web":
      self.init(method, webPath: path[3...])
    case (_, "carillon", 3..., nil) where path[1] == "v1":
      guard let route = ExtendedRoute(method, Array(path[2...])) else { return nil }
      self = .extended(route)
    default: return nil
    }
  }

  private init?(_ method: String, webPath path: ArraySlice<String>) {
    switch (method, path.first, path.count) {
    case ("GET", nil, 0): self = .describeWeb
    case ("POST", "join", 1): self = .joinFromWeb
    case ("PUT", "meetings", 3) where path.last == "transcription",
      ("DELETE", "meetings", 3) where path.last == "transcription":
      self = .captionFromWeb(meeting: path[path.startIndex + 1])
    default: return nil
    }
  }

  private init?(
    _ method: String, attendeesOf meeting: String, _ rest: ArraySlice<String>, _ operation: String?
  ) {
    // The literal `capabilities` stands where others have an attendee id.
    switch (method, rest.first, rest.count, operation) {
    case ("POST", nil, 0, nil): self = .createAttendee(meeting: meeting)
    case ("POST", nil, 0, "batch-create"): self = .batchCreateAttendee(meeting: meeting)
    case ("GET", nil, 0, nil): self = .listAttendees(meeting: meeting)
    case ("PUT", "capabilities", 1, "batch-update-except"):
      self = .batchUpdateAttendeeCapabilitiesExcept(meeting: meeting)
    case (_, "capabilities", 1, _): return nil
    case ("GET", let id?, 1, nil): self = .getAttendee(id, meeting: meeting)
    case ("DELETE", let id?, 1, nil): self = .deleteAttendee(id, meeting: meeting)
    case ("PUT", let id?, 2, nil) where rest.last == "capabilities":
      self = .updateAttendeeCapabilities(id, meeting: meeting)
    default: return nil
    }
  }

  /// Whether it needs no signature: it is no part of the API of server applications, and tells no
  /// secrets.
  var isPublic: Bool {
    [.putClientEvents, .getEndpoints, .getHealth, .describeWeb, .extended(.getOpenAPI)]
      .contains(self)
  }

  /// What the path names as a meeting; `nil` where it names none.
  var meeting: String? {
    switch self {
    case .getMeeting(let meeting), .deleteMeeting(let meeting), .createAttendee(let meeting),
      .batchCreateAttendee(let meeting), .getAttendee(_, let meeting),
      .listAttendees(let meeting), .deleteAttendee(_, let meeting),
      .updateAttendeeCapabilities(_, let meeting),
      .batchUpdateAttendeeCapabilitiesExcept(let meeting), .startTranscription(let meeting),
      .stopTranscription(let meeting), .captionFromWeb(let meeting):
      meeting
    case .extended(let route): route.meeting
    case .createMeeting, .createMeetingWithAttendees, .tagResource, .untagResource,
      .listTagsForResource, .putClientEvents, .getEndpoints, .getHealth, .describeWeb,
      .joinFromWeb:
      nil
    }
  }

  var operation: RESTOperation {
    switch self {
    case .createMeeting: .createMeeting
    case .createMeetingWithAttendees: .createMeetingWithAttendees
    case .getMeeting: .getMeeting
    case .deleteMeeting: .deleteMeeting
    case .createAttendee: .createAttendee
    case .batchCreateAttendee: .batchCreateAttendee
    case .getAttendee: .getAttendee
    case .listAttendees: .listAttendees
    case .deleteAttendee: .deleteAttendee
    case .updateAttendeeCapabilities: .updateAttendeeCapabilities
    case .batchUpdateAttendeeCapabilitiesExcept: .batchUpdateAttendeeCapabilitiesExcept
    case .startTranscription: .startMeetingTranscription
    case .stopTranscription: .stopMeetingTranscription
    case .tagResource: .tagResource
    case .untagResource: .untagResource
    case .listTagsForResource: .listTagsForResource
    case .putClientEvents: .putClientEvents
    case .extended(let route): route.operation
    case .getEndpoints: .getEndpoints
    case .getHealth: .getHealth
    case .describeWeb: .describeWeb
    case .joinFromWeb: .joinFromWeb
    case .captionFromWeb: .captionFromWeb
    }
  }
}
