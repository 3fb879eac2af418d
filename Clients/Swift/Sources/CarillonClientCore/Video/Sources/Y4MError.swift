/// Why a Y4M file cannot be used.
public enum Y4MError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It does not begin as a YUV4MPEG2 file with a size does.
  case malformed
  /// Only 8-bit 4:2:0 is read.
  case unsupported(colourSpace: String)
  /// It has no whole frame.
  case empty

  public var description: String {
    switch self {
    case .malformed: "This is no YUV4MPEG2 file, or it does not say its size."
    case .unsupported(let space): "The colour space \(space) is not read; use 8-bit 4:2:0."
    case .empty: "The file has no whole frame."
    }
  }
}
