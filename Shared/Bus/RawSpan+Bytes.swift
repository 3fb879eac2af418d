extension [UInt8] {
  /// A copy of lent bytes.
  init(copying bytes: RawSpan) {
    self = unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) }
  }
}
