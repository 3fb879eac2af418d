public import MeetingModel

/// The id of a participant, an attendee or a meeting in a message. Messages carry ids as text.
///
/// This type stores an id in the model's canonical form as a number. A number needs no heap memory
/// and no second parse, and a comparison of numbers is fast. This type stores any other text
/// unchanged, and the receiver of the message checks whether the text is a valid id.
public struct IDText: Sendable, Hashable {
  private enum Content: Sendable, Hashable {
    /// A canonical id. This type stores a meeting's id as a participant's id without a modality.
    case id(ParticipantID)
    case other(String)
  }

  private let content: Content

  /// Stores the id of a participant.
  public init(_ id: ParticipantID) { content = .id(id) }

  /// Stores the id of a meeting or an attendee.
  public init(_ id: some GUIDIdentifier) { self.init(ParticipantID(AttendeeID(id.guid))) }

  /// Stores any text. This initializer stores a canonical id as a number.
  public init(_ text: String) {
    content = ParticipantID(canonical: text.utf8.span).map { .id($0) } ?? .other(text)
  }

  /// Stores no id; ``isEmpty`` is true.
  public init() { content = .other("") }

  /// The text that a message carries.
  public var text: String {
    switch content {
    case .id(let id): id.text
    case .other(let text): text
    }
  }

  /// Whether the text is empty.
  public var isEmpty: Bool { content == .other("") }

  /// The id, or `nil` if the text is not in the model's canonical form.
  var canonical: ParticipantID? {
    if case .id(let id) = content { id } else { nil }
  }
}

extension ParticipantID {
  /// Decodes an id that a message carries.
  ///
  /// - Throws: ``MeetingModel/InvalidModelValue/invalidValue(what:rule:)`` if the text is not an
  ///   id.
  public init(_ text: IDText) throws(InvalidModelValue) {
    if let id = text.canonical { self = id } else { try self.init(text.text) }
  }
}

extension GUIDIdentifier {
  /// Decodes an id that a message carries.
  ///
  /// - Throws: ``MeetingModel/InvalidModelValue/invalidValue(what:rule:)`` if the text is not an
  ///   id.
  public init(_ text: IDText) throws(InvalidModelValue) {
    if let id = text.canonical, id.modality == nil {
      self.init(id.attendee.guid)
    } else {
      try self.init(text.text)
    }
  }
}
