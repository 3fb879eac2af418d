extension RawSpan {
  /// Passes the bytes of this span to `body`, as a span of integers.
  func withPacketBytes<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    // Safe: any byte is a valid `UInt8`, and the span cannot escape the closure.
    try unsafe withUnsafeBytes { bytes in
      try unsafe body(Span(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self)))
    }
  }
}
