import MeetingModel

/// The parsed parameters in the path of a request.
///
/// The interface reports errors of the body before errors of the path. So an invalid parameter
/// keeps its error until an operation reads the parameter. A parameter that is not in the path is
/// `nil`.
struct PathValues: Sendable {
  private(set) var meeting: Result<MeetingID, RESTError>?
  private(set) var attendee: Result<AttendeeID, RESTError>?

  /// The id of a webhook. The parser accepts any text, because only the store knows which webhooks
  /// exist.
  private(set) var webhook: Result<String, RESTError>?

  mutating func set(_ parameter: PathTemplate.Parameter, to text: String) {
    switch parameter {
    case .meeting: meeting = Self.parsed(parameter, text, MeetingID.init(_:))
    case .attendee: attendee = Self.parsed(parameter, text, AttendeeID.init(_:))
    case .webhook: webhook = .success(text)
    }
  }

  private static func parsed<ID>(
    _ parameter: PathTemplate.Parameter, _ text: String,
    _ parse: (String) throws(InvalidModelValue) -> ID
  ) -> Result<ID, RESTError> {
    do { return .success(try parse(text)) } catch {
      return .failure(RESTError(.badRequest, "\(parameter.rawValue): \(error.status.message)"))
    }
  }
}
