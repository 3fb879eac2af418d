/// What can go wrong with the codec.
public enum VPXError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The settings cannot be met; libvpx's number says why.
  case invalidSettings(code: Int32)
  /// A picture has another size than the encoder was made for.
  case wrongSize(width: Int, height: Int)
  /// libvpx could not encode a picture.
  case encodingFailed(code: Int32)
  /// Bytes are not a VP8 frame, or a frame that the decoder has no basis for: only a key frame
  /// helps.
  case undecodable(code: Int32)
  /// A key frame announces a picture larger than is accepted.
  case tooLarge(width: Int, height: Int)

  public var description: String {
    switch self {
    case .invalidSettings(let code): "libvpx refused its settings (error \(code))."
    case .wrongSize(let width, let height):
      "A picture of \(width)x\(height) does not fit the encoder; make another one."
    case .encodingFailed(let code): "libvpx could not encode a picture (error \(code))."
    case .undecodable(let code):
      "A VP8 frame cannot be decoded (error \(code)); ask for a key frame."
    case .tooLarge(let width, let height): "A VP8 picture of \(width)x\(height) is refused."
    }
  }
}
