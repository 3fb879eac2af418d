extension RawSpan {
  /// Lends the same bytes as numbers.
  func withPacketBytes<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    // Safe: bytes of any value are numbers of eight bits, and the span cannot leave the closure.
    try unsafe withUnsafeBytes { bytes in
      try unsafe body(Span(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self)))
    }
  }
}
