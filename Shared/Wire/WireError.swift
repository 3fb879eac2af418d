/// Why bytes are not the message they should be.
public enum WireError: Error, Hashable {
  /// There are more bytes than the limits allow.
  case tooLarge(bytes: Int, limit: Int)
  /// Unpacking needs more memory than the limits allow.
  case needsTooMuchMemory(limit: Int)
  /// The bytes do not parse as the message named.
  case malformed(message: String)
  /// A string is not UTF-8; the field by its full name in the contract.
  case invalidUTF8(field: String)
  /// A string contains a NUL; the field by its full name in the contract.
  case embeddedNUL(field: String)
  /// A frame ends before its header does.
  case truncated
  /// The length in front of a frame's header is no varint of at most five bytes.
  case malformedLength
  /// A frame's header is longer than ``WireFrame/maximumHeaderBytes``.
  case headerTooLarge(bytes: Int)
  /// A ``FrameBundle`` has no frame, more than it may, or a bundle in it.
  case malformedBundle
}

extension WireError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooLarge(let bytes, let limit):
      "The message has \(bytes) bytes; at most \(limit) are accepted here."
    case .needsTooMuchMemory(let limit):
      "Unpacking the message needs more than \(limit) bytes of memory."
    case .malformed(let message):
      "The bytes are not a \(message)."
    case .invalidUTF8(let field):
      "\(field) is not valid UTF-8."
    case .embeddedNUL(let field):
      "\(field) contains a NUL character."
    case .truncated:
      "The frame ends before its header does."
    case .malformedLength:
      "The frame does not begin with the length of its header."
    case .headerTooLarge(let bytes):
      "The header has \(bytes) bytes; at most \(WireFrame.maximumHeaderBytes) are accepted."
    case .malformedBundle:
      "A bundle has 1 to \(FrameBundle.mostFrames) frames, and none of them is a bundle."
    }
  }
}
