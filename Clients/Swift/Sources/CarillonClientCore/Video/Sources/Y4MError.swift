/// The reasons why the library cannot use a Y4M file.
public enum Y4MError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file does not begin with a YUV4MPEG2 header that has a size.
  case malformed
  /// The color space is not supported. The library supports only 8-bit 4:2:0.
  case unsupported(colourSpace: String)
  /// The file has no whole frame.
  case empty

  public var description: String {
    switch self {
    case .malformed: "This is no YUV4MPEG2 file, or it does not say its size."
    case .unsupported(let space): "The colour space \(space) is not read; use 8-bit 4:2:0."
    case .empty: "The file has no whole frame."
    }
  }
}
