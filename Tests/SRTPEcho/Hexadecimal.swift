import SRTP

extension [UInt8] {
  init(hexadecimal text: String) {
    let digits = text.compactMap(\.hexDigitValue)
    self = stride(from: 0, to: digits.count, by: 2).map { UInt8(16 * digits[$0] + digits[$0 + 1]) }
  }
}

extension Sequence<UInt8> {
  var hexadecimal: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension MasterKey {
  /// Reads the key, followed by the salt.
  init?(_ profile: ProtectionProfile, hexadecimal text: String) {
    let bytes = [UInt8](hexadecimal: text)
    guard bytes.count == profile.keyLength + profile.saltLength else { return nil }
    let span = bytes.span.bytes
    self.init(
      profile: profile, key: span.extracting(first: profile.keyLength),
      salt: span.extracting(last: profile.saltLength))
  }
}
