public import Wire
internal import ZMTP

/// A message of one frame as it goes over the wire (37/ZMTP, "Framing"): written once, and shared
/// by every connection that is sent it.
public final class FramedMessage: Sendable {
  /// The frame's header and its body.
  let bytes: [UInt8]

  /// Where the body begins.
  let bodyOffset: Int

  /// The number of bytes in the body.
  public var count: Int { bytes.count - bodyOffset }

  /// A message with these bytes.
  public init(_ body: Span<UInt8>) {
    bodyOffset = ZMTPFrame.headerSize(ofBody: body.count)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(bodyOffset + body.count)
    ZMTPFrame.append(body, to: &bytes)
    self.bytes = bytes
  }

  /// A message with the frame of a header and a body that is packed already.
  public convenience init(header: some WireMessage, packedBody body: [UInt8]) {
    self.init(WireFrame.pack(header: header, packedBody: body).span)
  }
}
