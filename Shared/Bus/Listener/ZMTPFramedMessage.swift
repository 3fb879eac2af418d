public import Wire
internal import ZMTP

/// A message of one frame in wire form (37/ZMTP, "Framing"). The initializer writes the message
/// once, and all receiving connections share these bytes.
public final class ZMTPFramedMessage: Sendable {
  /// The frame's header and its body.
  let bytes: [UInt8]

  /// The offset of the body.
  let bodyOffset: Int

  /// The number of bytes in the body.
  public var count: Int { bytes.count - bodyOffset }

  /// Frames these bytes as a message.
  public init(_ body: Span<UInt8>) {
    bodyOffset = ZMTPFrameWriter.headerSize(ofBody: body.count)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(bodyOffset + body.count)
    ZMTPFrameWriter.append(body, to: &bytes)
    self.bytes = bytes
  }

  /// Makes a message from a header and a body that is already packed.
  public convenience init(header: some WireMessage, packedBody body: [UInt8]) {
    self.init(WireFrame.pack(header: header, packedBody: body).span)
  }
}
