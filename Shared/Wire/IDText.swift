public import MeetingModel

/// An id as it travels, which is text: a participant's, an attendee's or a meeting's.
///
/// One that is written as the model writes it is kept as its number, so that it costs no memory
/// beside its message, is read without being parsed again, and is compared as fast as numbers.
/// Whatever else came instead is kept as it is: what an id may be, its reader checks.
public struct IDText: Sendable, Hashable {
  private enum Content: Sendable, Hashable {
    /// A meeting's id is one without a modality.
    case id(ParticipantID)
    case other(String)
  }

  private let content: Content

  /// The id of a participant.
  public init(_ id: ParticipantID) { content = .id(id) }

  /// The id of a meeting or an attendee.
  public init(_ id: some GUIDIdentifier) { self.init(ParticipantID(AttendeeID(id.guid))) }

  /// Any text.
  public init(_ text: String) {
    content = ParticipantID(canonical: text.utf8.span).map { .id($0) } ?? .other(text)
  }

  /// No id.
  public init() { content = .other("") }

  /// The id as text, as it travels.
  public var text: String {
    switch content {
    case .id(let id): id.text
    case .other(let text): text
    }
  }

  /// Whether there is nothing.
  public var isEmpty: Bool { content == .other("") }

  /// The id, if it is written as the model writes it.
  var canonical: ParticipantID? {
    if case .id(let id) = content { id } else { nil }
  }
}

extension ParticipantID {
  /// Reads an id as it arrived.
  ///
  /// - Throws: ``MeetingModel/ModelError/invalidValue(what:rule:)`` for what is none.
  public init(_ text: IDText) throws(ModelError) {
    if let id = text.canonical { self = id } else { try self.init(text.text) }
  }
}

extension GUIDIdentifier {
  /// Reads an id as it arrived.
  ///
  /// - Throws: ``MeetingModel/ModelError/invalidValue(what:rule:)`` for what is none.
  public init(_ text: IDText) throws(ModelError) {
    if let id = text.canonical, id.modality == nil {
      self.init(id.attendee.guid)
    } else {
      try self.init(text.text)
    }
  }
}
