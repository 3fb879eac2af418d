/// An error that unpacking a message or splitting a frame throws.
public enum WireError: Error, Hashable {
  /// The message has more bytes than the limits allow.
  case tooLarge(bytes: Int, limit: Int)
  /// Unpacking needs more memory than the limits allow.
  case needsTooMuchMemory(limit: Int)
  /// The bytes do not parse as the named message.
  case malformed(message: String)
  /// A string is not UTF-8. `field` is the full name of the field in the contract.
  case invalidUTF8(field: String)
  /// A string contains a NUL. `field` is the full name of the field in the contract.
  case embeddedNUL(field: String)
  /// A frame ends before the end of its header, or a bundle ends within a frame.
  case truncated
  /// A length before a header or a frame is not a varint of at most 5 bytes and 32 bits.
  case malformedLength
  /// A frame's header is longer than ``WireFrame/maximumHeaderBytes``.
  case headerTooLarge(bytes: Int)
  /// A ``WireFrameBundle`` has no frames, has too many frames, or contains a bundle.
  case malformedBundle
}

extension WireError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooLarge(let bytes, let limit):
      "The message has \(bytes) bytes, and at most \(limit) are accepted here."
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
      "A bundle has 1 to \(WireFrameBundle.mostFrames) frames, and none of them is a bundle."
    }
  }
}
