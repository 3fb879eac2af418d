extension [UInt8] {
  /// Copies borrowed bytes.
  init(copying bytes: RawSpan) {
    self = unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
  }
}
