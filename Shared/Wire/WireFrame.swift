/// A header and a body in one buffer: varint length of the header, header, body.
///
/// `proto/README.md` defines the form. One frame rather than two, because a second ZeroMQ frame
/// costs a third of the throughput.
public enum WireFrame {
  /// The longest header of a request or a reply.
  public static let maximumHeaderBytes = 4096

  /// The longest header of an event: it may name 250 participants that alone may see it, about
  /// forty bytes each, and as many that may not.
  public static let maximumEventHeaderBytes = 32 << 10

  /// - Returns: The frame. A header beyond ``maximumHeaderBytes`` is packed all the same, and
  ///   refused by whoever gets it.
  public static func pack(header: some WireMessage, body: some WireMessage) -> [UInt8] {
    pack(PreparedFrame(header: header, body: body))
  }

  /// A frame without a body.
  public static func pack(header: some WireMessage) -> [UInt8] {
    pack(PreparedFrame(header: header))
  }

  /// A frame around a body that is packed already.
  public static func pack(header: some WireMessage, packedBody body: RawSpan) -> [UInt8] {
    let arena = WireArena()
    return unsafe pack(header.prepare(in: arena), bodyCount: body.byteCount) { room in
      unsafe body.withUnsafeBytes { bytes in unsafe room.update(fromContentsOf: bytes) }
    }
  }

  /// A frame around a body that is packed already.
  public static func pack(header: some WireMessage, packedBody body: [UInt8]) -> [UInt8] {
    unsafe pack(header: header, packedBody: body.span.bytes)
  }

  /// Where the header and the body are in `frame`.
  ///
  /// - Parameter maximumHeader: The longest header that is taken, in bytes.
  /// - Throws: ``WireError`` for a length that is none, is too long or leads beyond the frame.
  public static func split(
    _ frame: RawSpan, maximumHeader: Int = maximumHeaderBytes
  ) throws(WireError) -> (header: Range<Int>, body: Range<Int>) {
    let (length, start) = try Varint.read(frame)
    guard length <= maximumHeader else { throw .headerTooLarge(bytes: Int(length)) }
    let end = start + Int(length)
    guard end <= frame.byteCount else { throw .truncated }
    return (start..<end, end..<frame.byteCount)
  }

  /// Where the header and the body of the frame at `place` are in a message.
  ///
  /// - Throws: ``WireError`` as for the frame alone.
  public static func split(
    _ message: RawSpan, at place: Range<Int>
  ) throws(WireError) -> (header: Range<Int>, body: Range<Int>) {
    let (header, body) = try split(message.extracting(place))
    let start = place.lowerBound
    return (
      header.lowerBound + start..<header.upperBound + start,
      body.lowerBound + start..<body.upperBound + start
    )
  }

  private static func pack(_ frame: borrowing PreparedFrame) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: frame.count) { buffer, count in
      count = unsafe frame.write(to: buffer)
    }
  }

  private static func pack(
    _ header: PreparedMessage, bodyCount: Int,
    body: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) -> [UInt8] {
    let start = Varint.count(header.count)
    let capacity = start + header.count + bodyCount
    return unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      unsafe Varint.write(header.count, to: buffer)
      count = start
      count += unsafe header.write(to: .init(rebasing: buffer[count...]))
      count += unsafe body(.init(rebasing: buffer[count...]))
    }
  }
}
