extension [UInt8] {
  /// Reads hexadecimal digits. White space may separate the digits.
  init(hex text: String) {
    let digits = text.compactMap(\.hexDigitValue)
    self = stride(from: 0, to: digits.count, by: 2).map { UInt8(16 * digits[$0] + digits[$0 + 1]) }
  }
}
