/// An error of the codec.
public enum VPXError: Error, Hashable, Sendable, CustomStringConvertible {
  /// libvpx rejected the settings. libvpx's code shows the reason.
  case invalidSettings(code: Int32)
  /// The size of a picture differs from the size in the encoder's settings.
  case wrongSize(width: Int, height: Int)
  /// libvpx could not encode a picture.
  case encodingFailed(code: Int32)
  /// The bytes are not a VP8 frame, or the frame depends on a missing frame. Decoding continues
  /// only with a key frame.
  case undecodable(code: Int32)
  /// A key frame contains a picture that is larger than the limit.
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
