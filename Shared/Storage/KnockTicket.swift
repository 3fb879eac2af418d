public import MeetingModel

/// The description of a knock at a locked meeting. The page of the waiting person sends the signed
/// text of the ticket to a gateway, to prove the knock.
public struct KnockTicket: Hashable, Sendable {
  /// The id of the knock.
  public let id: KnockID

  /// The locked meeting.
  public let meeting: MeetingID

  /// The name of the waiting person.
  public let name: DisplayName

  /// The time of the knock, in milliseconds since 1970-01-01T00:00:00Z.
  public let openedAt: Int64

  /// Creates the ticket of a knock.
  public init(id: KnockID, meeting: MeetingID, name: DisplayName, openedAt: Int64) {
    (self.id, self.meeting, self.name, self.openedAt) = (id, meeting, name, openedAt)
  }
}

/// Encodes, signs and checks the tickets of knocks with the installation's key.
///
/// The text of a ticket is unpadded base64url (RFC 4648, §5). The text encodes five fields in this
/// order: a code (32 bytes), the ids of the meeting and of the knock (16 bytes each), the time of
/// the knock (8 bytes, big-endian), and the name in UTF-8. The code is an HMAC-SHA-256 over a label
/// and the other fields. Gateways store no tickets. Every gateway of an installation has the same
/// key, so each gateway accepts the tickets of all other gateways.
public struct KnockTicketSigner: Sendable {
  private let key: InstallationKey

  /// Creates a signer from a key.
  public init(_ key: InstallationKey) { self.key = key }

  /// Returns the signed text of a ticket.
  public func text(of ticket: KnockTicket) -> String {
    let time = (0..<8).map { UInt8(truncatingIfNeeded: ticket.openedAt >> (56 - $0 * 8)) }
    let content =
      ticket.meeting.guid.bytes + ticket.id.guid.bytes + time + Array(ticket.name.text.utf8)
    return Base64URL.text(of: code(content) + content)
  }

  /// Returns the ticket that a text contains; `nil` if no gateway of this installation has signed
  /// the text.
  ///
  /// Compares the code in constant time, and reads the other fields only if the code is right.
  public func ticket(in text: String) -> KnockTicket? {
    guard text.utf8.count <= Self.mostCharacters, let bytes = Base64URL.bytes(of: text),
      bytes.count > Self.fixedSize
    else { return nil }
    let content = Array(bytes[32...])
    guard ConstantTime.areEqual(Array(bytes[..<32]), code(content)),
      let meeting = GUID(bytes: Array(content[..<16])),
      let id = GUID(bytes: Array(content[16..<32])),
      let written = String(validating: content[40...], as: UTF8.self),
      let name = try? DisplayName(written)
    else { return nil }
    return KnockTicket(
      id: KnockID(id), meeting: MeetingID(meeting), name: name,
      openedAt: content[32..<40].reduce(0) { $0 << 8 | Int64($1) })
  }

  private func code(_ content: [UInt8]) -> [UInt8] { key.code(for: Self.label + content) }

  /// The size of everything but the name, in bytes.
  private static let fixedSize = 32 + 16 + 16 + 8

  /// The number of characters of the longest ticket.
  private static let mostCharacters = (fixedSize + DisplayName.mostBytes + 2) / 3 * 4

  /// The label that separates these authentication codes from other uses of the key.
  private static let label = Array("carillon knock ticket 1\0".utf8)
}
