import Crypto

/// A certificate that media shows to browsers, which know it by its fingerprint in the answer and
/// trust no authority for it (RFC 8827, §5). Made at the start, of a key on the curve P-256.
struct SelfSignedCertificate: Sendable {
  let key: P256.Signing.PrivateKey

  /// The certificate as DER (RFC 5280).
  let der: [UInt8]

  /// As `a=fingerprint` has it: SHA-256, in pairs of capital digits (RFC 8122, §5).
  let fingerprint: String

  /// - Parameters:
  ///   - now: Seconds since 1970-01-01T00:00:00Z: it holds from a day before for thirty days.
  /// - Throws: What the signature fails with.
  init(at now: Int64) throws {
    key = P256.Signing.PrivateKey()
    let name = DER.sequence([
      DER.set([DER.sequence([DER.object([0x55, 0x04, 0x03]), DER.text("Carillon")])])
    ])
    // ecdsa-with-SHA256, 1.2.840.10045.4.3.2
    let algorithm = DER.sequence([DER.object([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02])])
    var generator = SystemRandomNumberGenerator()
    let serial =
      [0x40 | UInt8.random(in: 0..<64, using: &generator)]
      + (0..<15).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let body = DER.sequence([
      DER.tagged(0, DER.integer([2])), DER.integer(serial), algorithm, name,
      DER.sequence([DER.time(now - 86_400), DER.time(now + 29 * 86_400)]), name,
      Array(key.publicKey.derRepresentation),
    ])
    let signature = try key.signature(for: body)
    der = DER.sequence([body, algorithm, DER.bits(Array(signature.derRepresentation))])
    fingerprint = SHA256.hash(data: der).map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: ":")
  }
}

/// Values of ASN.1 by the distinguished encoding rules, as far as a certificate needs them.
private enum DER {
  static func sequence(_ parts: [[UInt8]]) -> [UInt8] { value(0x30, parts.flatMap { $0 }) }

  static func set(_ parts: [[UInt8]]) -> [UInt8] { value(0x31, parts.flatMap { $0 }) }

  static func object(_ bytes: [UInt8]) -> [UInt8] { value(0x06, bytes) }

  static func text(_ text: String) -> [UInt8] { value(0x0C, Array(text.utf8)) }

  /// A positive number whose first bit is not set.
  static func integer(_ bytes: [UInt8]) -> [UInt8] { value(0x02, bytes) }

  static func bits(_ bytes: [UInt8]) -> [UInt8] { value(0x03, [0] + bytes) }

  static func tagged(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
    value(0xA0 | number, content)
  }

  /// A time of the years 1950-2049, `YYMMDDhhmmssZ`.
  static func time(_ seconds: Int64) -> [UInt8] {
    let (days, rest) = (Int(seconds / 86_400), Int(seconds % 86_400))
    let date = civil(days)
    let parts = [date.year % 100, date.month, date.day, rest / 3_600, rest / 60 % 60, rest % 60]
    return value(0x17, Array(parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined().utf8) + [0x5A])
  }

  /// The date of a day, counted from 1970-01-01; the year begins in March, so that a leap day ends
  /// it.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    return (
      yearOfEra + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
      dayOfYear - (153 * month + 2) / 5 + 1
    )
  }

  private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let length: [UInt8] =
      switch content.count {
      case ..<128: [UInt8(content.count)]
      case ..<256: [0x81, UInt8(content.count)]
      default: [0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]
      }
    return [tag] + length + content
  }
}
