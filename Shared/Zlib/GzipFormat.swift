internal import CZlib

/// The gzip format (RFC 1952).
public enum GzipFormat {
  /// The maximum number of bytes that one call compresses. The limit exists because zlib counts
  /// bytes in 32 bits.
  public static let mostBytes = 1 << 30

  /// Compresses bytes at zlib's highest level. Equal bytes give equal results.
  ///
  /// - Precondition: There are at most ``mostBytes`` bytes.
  /// - Returns: `nil` when memory is short.
  public static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    precondition(bytes.count <= mostBytes, "One call compresses at most \(mostBytes) bytes.")
    let bound = czlib_gzip_bound(bytes.count)
    let compressed = unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      count = unsafe bytes.withUnsafeBufferPointer { plain in
        unsafe czlib_gzip(plain.baseAddress, plain.count, buffer.baseAddress, bound)
      }
    }
    return compressed.isEmpty ? nil : compressed
  }
}
