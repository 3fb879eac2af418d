/// The id of a roster entry: an attendee, or an attendee's content share.
///
/// The text of the id is `<attendee id>` or `<attendee id>#content`. The attendee's token
/// authenticates a content share, and the attendee's content capability permits the share. Content
/// shares do not count when the server compares the number of participants with the meeting's
/// capacity.
public struct ParticipantID: Hashable, Sendable {
  /// The attendee itself, or the owner of the content share.
  public var attendee: AttendeeID

  /// The modality; `nil` for the attendee itself.
  public var modality: Modality?

  /// An id that no participant has. If the owner publishes an event for only this id, the stream
  /// records the event, but no client receives it.
  public static let nobody = ParticipantID(AttendeeID(.zero))

  /// Creates the id of an attendee. With a modality, creates the id of the attendee's share.
  public init(_ attendee: AttendeeID, modality: Modality? = nil) {
    self.attendee = attendee
    self.modality = modality
  }

  /// Parses ``text``: an attendee id in any case, and at most one known modality in lower case.
  ///
  /// - Throws: ``InvalidModelValue/invalidValue(what:rule:)`` for any other text.
  public init(_ text: String) throws(InvalidModelValue) {
    guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "#")) else {
      guard let guid = GUID(text) else { throw Self.malformed }
      attendee = AttendeeID(guid)
      return
    }
    guard let guid = GUID(String(text[..<mark])),
      let modality = Modality(rawValue: String(text[text.index(after: mark)...]))
    else { throw Self.malformed }
    attendee = AttendeeID(guid)
    self.modality = modality
  }

  /// Parses ``text`` in its canonical form only; `nil` for any other spelling.
  public init?(canonical bytes: Span<UInt8>) {
    let id = bytes.extracting(first: GUID.length)
    guard let guid = GUID(utf8: id), !Hexadecimal.hasUpperCase(id) else { return nil }
    self.init(AttendeeID(guid), modality: bytes.count > GUID.length ? .content : nil)
    guard hasSuffix(bytes.extracting(droppingFirst: GUID.length)) else { return nil }
  }

  /// The whole id: 36 lower-case characters, and `#content` for a content share.
  public var text: String { modality == nil ? attendee.text : attendee.text + suffix }

  /// Appends ``text`` in UTF-8.
  public func append(to bytes: inout [UInt8]) {
    attendee.guid.append(to: &bytes)
    bytes.append(contentsOf: suffix.utf8)
  }

  /// Writes ``text`` in UTF-8 to memory with room for ``textCount`` bytes.
  public func write(to output: inout OutputSpan<UInt8>) {
    let characters = attendee.guid.characters
    for index in characters.indices { output.append(characters[index]) }
    for byte in suffix.utf8 { output.append(byte) }
  }

  /// The number of bytes of ``text``.
  public var textCount: Int { GUID.length + suffix.utf8.count }

  private func hasSuffix(_ bytes: Span<UInt8>) -> Bool {
    var position = 0
    for byte in suffix.utf8 {
      guard position < bytes.count, bytes[position] == byte else { return false }
      position += 1
    }
    return position == bytes.count
  }

  /// Whether the id belongs to a content share.
  public var isContent: Bool { modality == .content }

  private var suffix: String { modality.map { "#" + $0.rawValue } ?? "" }

  private static let malformed = InvalidModelValue.invalidValue(
    what: "participant id", rule: "an attendee id, or an attendee id followed by #content")
}

extension ParticipantID: CustomStringConvertible {
  /// The text for logs: the shortened attendee id, and the modality.
  public var description: String { "\(attendee)\(suffix)" }
}

extension ParticipantID: Comparable {
  /// Orders ids by attendee. An attendee precedes its content share.
  public static func < (left: ParticipantID, right: ParticipantID) -> Bool {
    left.attendee == right.attendee
      ? left.modality == nil && right.modality != nil : left.attendee < right.attendee
  }
}
