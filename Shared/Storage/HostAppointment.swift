public import MeetingModel

/// The proof, signed by a gateway, that a host has appointed an attendee as a further host of the
/// meeting.
///
/// A client can exchange an appointment for a host token only together with the attendee's join
/// token. So a person who only reads an appointment cannot become a host.
public struct HostAppointment: Hashable, Sendable {
  /// The encoded appointment. The appointed attendee's client presents this text to a gateway.
  public let text: String

  /// Wraps a text as an appointment, without validating it.
  public init(_ text: String) { self.text = text }
}

/// Issues and checks appointments with the installation's key.
///
/// An appointment is unpadded base64url (RFC 4648, §5). It encodes the time of expiry (8 bytes,
/// big-endian) and an HMAC-SHA-256 over a label, the meeting, the attendee and this time. Gateways
/// store no appointments. Every gateway of an installation has the same key, so each gateway
/// accepts the appointments of all other gateways.
public struct HostAppointmentIssuer: Sendable {
  private let key: InstallationKey

  /// The time for which an appointment is valid: five minutes.
  ///
  /// This time is longer than the three minutes for which a client that lost its connection can
  /// still get missed messages.
  public static let lifetime: Int64 = 5 * 60

  /// Creates appointments from a key.
  public init(_ key: InstallationKey) { self.key = key }

  /// Issues the appointment of an attendee.
  ///
  /// - Parameter now: Seconds since 1970-01-01T00:00:00Z.
  public func issue(
    for attendee: AttendeeID, in meeting: MeetingID, at now: Int64
  ) -> HostAppointment {
    let expiry = Self.bytes(of: now + Self.lifetime)
    return HostAppointment(Base64URL.text(of: expiry + code(attendee, meeting, expiry)))
  }

  /// Returns whether the appointment's signature is for this attendee of this meeting, and the
  /// appointment has not expired.
  ///
  /// Compares the authentication code in constant time, and uses the time of expiry only if this
  /// code is right.
  ///
  /// - Parameter now: Seconds since 1970-01-01T00:00:00Z.
  public func isValid(
    _ appointment: HostAppointment, for attendee: AttendeeID, in meeting: MeetingID, at now: Int64
  ) -> Bool {
    guard appointment.text.utf8.count == Self.length,
      let bytes = Base64URL.bytes(of: appointment.text), bytes.count == 8 + 32
    else { return false }
    let expiry = Array(bytes.prefix(8))
    let isSigned = ConstantTime.areEqual(
      Array(bytes.suffix(32)), code(attendee, meeting, expiry))
    return isSigned && now < expiry.reduce(0) { $0 << 8 | Int64($1) }
  }

  private func code(_ attendee: AttendeeID, _ meeting: MeetingID, _ expiry: [UInt8]) -> [UInt8] {
    key.code(for: Self.label + meeting.guid.bytes + attendee.guid.bytes + expiry)
  }

  private static func bytes(of number: Int64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - $0 * 8)) }
  }

  /// The number of characters that encode 40 bytes.
  private static let length = 54

  /// The label that separates these authentication codes from other uses of the key.
  private static let label = Array("carillon host appointment 1\0".utf8)
}
