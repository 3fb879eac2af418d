import MeetingModel

/// The path of an operation as in the API's description, for example
/// `/meetings/{MeetingId}/attendees`.
struct PathTemplate: Hashable, Sendable {
  /// A variable part of a path. The raw value is the name of this part in the API's description.
  enum Parameter: String, CaseIterable {
    case meeting = "MeetingId"
    case attendee = "AttendeeId"
    case webhook = "WebhookId"
  }

  private enum Segment: Hashable {
    case literal(String)
    case parameter(Parameter)

    init(_ text: Substring) {
      guard text.hasPrefix("{") else {
        self = .literal(String(text))
        return
      }
      guard let parameter = Parameter(rawValue: String(text.dropFirst().dropLast())) else {
        preconditionFailure("A path has the parameters of PathTemplate.Parameter; not \(text).")
      }
      self = .parameter(parameter)
    }
  }

  let text: String
  private let segments: [Segment]

  /// - Precondition: `text` begins with a slash, and contains only known parameters.
  init(_ text: String) {
    precondition(text.hasPrefix("/"), "A path begins with a slash; not \(text).")
    self.text = text
    segments = text.dropFirst().split(separator: "/").map(Segment.init)
  }

  /// The variable parts, in order.
  var parameters: [Parameter] {
    segments.compactMap { segment in
      if case .parameter(let parameter) = segment { parameter } else { nil }
    }
  }

  /// The number of fixed segments. If two templates match a path, the template with more fixed
  /// segments applies.
  var literals: Int { segments.count - parameters.count }

  /// Returns whether a path matches this template, whatever the values of the parameters are.
  func matches(_ path: [String]) -> Bool {
    guard path.count == segments.count else { return false }
    return zip(segments, path).allSatisfy { segment, text in
      if case .literal(let literal) = segment { literal == text } else { true }
    }
  }

  /// Returns the parameters in a matching path.
  func values(in path: [String]) -> PathValues {
    var values = PathValues()
    for case (.parameter(let parameter), let text) in zip(segments, path) {
      values.set(parameter, to: text)
    }
    return values
  }

  /// Splits a raw path into segments, and decodes each segment once. Returns `nil` if a segment is
  /// empty or its encoding is invalid.
  ///
  /// A dot segment has no special meaning. Two consecutive slashes enclose an empty segment.
  static func segments(of path: String) -> [String]? {
    guard path.hasPrefix("/") else { return nil }
    var segments: [String] = []
    for segment in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let decoded = PercentDecoding.decode(segment), !decoded.isEmpty else { return nil }
      segments.append(decoded)
    }
    return segments
  }
}
