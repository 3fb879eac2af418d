import MeetingModel
import Storage

/// One of the parts that an operation reads from a request. ``read`` returns the value of the part.
struct RequestPart<Value>: Sendable {
  let source: ParameterLocation

  /// - Throws: `BadRequestException` and other errors. Their messages contain the name of the part.
  let read: @Sendable (RESTCall) throws(RESTError) -> Value

  init(
    _ source: ParameterLocation,
    _ read: @escaping @Sendable (RESTCall) throws(RESTError) -> Value
  ) {
    (self.source, self.read) = (source, read)
  }

  private init(
    _ parameter: PathTemplate.Parameter,
    _ value: @escaping @Sendable (PathValues) -> Result<Value, RESTError>?
  ) {
    self.init(.path(parameter)) { (call) throws(RESTError) in
      guard let found = value(call.route.path) else {
        throw RESTError(.serviceFailure, "The path has no \(parameter.rawValue).")
      }
      return try found.get()
    }
  }
}

// MARK: The path

extension RequestPart where Value == MeetingID {
  static var meeting: RequestPart { RequestPart(.meeting, \.meeting) }
}

extension RequestPart where Value == AttendeeID {
  static var attendee: RequestPart { RequestPart(.attendee, \.attendee) }
}

extension RequestPart where Value == String {
  static var webhook: RequestPart { RequestPart(.webhook, \.webhook) }
}

// MARK: The body

extension RequestPart {
  /// Returns the part whose value a method of `JSONMembers` reads from the body. The body must be a
  /// JSON object.
  static func body(
    _ value: @escaping @Sendable (JSONMembers) -> () throws(RESTError) -> Value
  ) -> RequestPart {
    RequestPart(.body) { (call) throws(RESTError) in
      try value(JSONMembers(RESTHandler.object(in: call.request)))()
    }
  }
}

extension RequestPart where Value == Bool {
  /// Returns the part that reads the only member of the body. The value of this member must be
  /// `true` or `false`.
  static func flag(_ name: String) -> RequestPart {
    RequestPart(.body) { (call) throws(RESTError) in
      let members = JSONMembers(try RESTHandler.object(in: call.request))
      return try members.required(name, members.flag(name))
    }
  }
}

// MARK: The query

extension RequestPart where Value == Int {
  /// The maximum number of entries of a page: 1-100, by default 100.
  static var limit: RequestPart {
    RequestPart(.query(["max-results"])) { (call) throws(RESTError) in
      try call.query.pageSize()
    }
  }
}

extension RequestPart where Value == Int64 {
  /// The sequence number of the last event that the caller has; 0 if the query contains none.
  static var afterSequence: RequestPart {
    RequestPart(.query(["after-sequence"])) { (call) throws(RESTError) in
      try call.query.sequence("after-sequence")
    }
  }
}

extension RequestPart where Value == PageRequest {
  /// Returns the part that reads the requested page of a list. The list belongs to the meeting in
  /// the path, or to the installation if the path contains no meeting.
  ///
  /// - Parameters:
  ///   - list: The name of the list; empty for attendees.
  ///   - most: The maximum number of entries of a page.
  static func page(of list: String, most: Int = 100) -> RequestPart {
    RequestPart(.query(["max-results", "next-token"])) { (call) throws(RESTError) in
      let limit = try call.query.pageSize(most: most)
      let tokens = PageToken(
        call.face.control.store.tokens, for: try call.route.path.meeting?.get(), list: list)
      return PageRequest(
        limit: limit, position: try tokens.position(askedBy: call.query), tokens: tokens)
    }
  }
}

extension RequestPart where Value == String {
  /// The ARN in the query.
  static var arn: RequestPart {
    RequestPart(.query(["arn"])) { (call) throws(RESTError) in
      guard let arn = try call.query.single("arn") else {
        throw RESTError(.badRequest, "The query parameter arn is required.")
      }
      return arn
    }
  }
}

// MARK: Other parts

extension RequestPart where Value == Caller {
  static var caller: RequestPart { RequestPart(.caller) { $0.caller } }
}

extension RequestPart where Value == RESTRequest {
  /// The whole request, for an operation that itself reads the values in the request.
  static var request: RequestPart { RequestPart(.request) { $0.request } }
}

extension RequestPart where Value == String {
  /// The base of the URLs in the answer, see ``RESTHandler/placementBase(for:)``.
  static var placementBase: RequestPart {
    RequestPart(.request) { (call) throws(RESTError) in
      try call.face.placementBase(for: call.request)
    }
  }
}

extension RequestPart where Value == String? {
  /// Returns the part that reads the first header with this name.
  static func header(_ name: String) -> RequestPart {
    RequestPart(.header(name)) { $0.request.header(name) }
  }
}
