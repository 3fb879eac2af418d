/// A header and a body in one buffer: the length of the header as a varint, the header, the body.
///
/// `proto/README.md` §3 defines the format. A header and a body share one ZeroMQ frame, because a
/// second frame costs a third of the throughput.
public enum WireFrame {
  /// The maximum size of the header of a request or a reply, in bytes.
  public static let maximumHeaderBytes = 4096

  /// The maximum size of the header of an event, in bytes.
  ///
  /// A header can list 250 participants that are the only readers of the event, and 250
  /// participants that must not see the event. Each participant takes about 40 bytes.
  public static let maximumEventHeaderBytes = 32 << 10

  /// Packs a header and a body.
  ///
  /// A header longer than ``maximumHeaderBytes`` causes no error here. The receiver rejects the
  /// frame.
  public static func pack(header: some WireMessage, body: some WireMessage) -> [UInt8] {
    pack(ArenaWireFrame(header: header, body: body))
  }

  /// Packs a header without a body.
  public static func pack(header: some WireMessage) -> [UInt8] {
    pack(ArenaWireFrame(header: header))
  }

  /// Packs a header, and appends a packed body.
  public static func pack(header: some WireMessage, packedBody body: RawSpan) -> [UInt8] {
    let arena = WireArena()
    return unsafe pack(header.prepare(in: arena), bodyCount: body.byteCount) { room in
      unsafe body.withUnsafeBytes { bytes in unsafe room.update(fromContentsOf: bytes) }
    }
  }

  /// Packs a header, and appends a packed body.
  public static func pack(header: some WireMessage, packedBody body: [UInt8]) -> [UInt8] {
    unsafe pack(header: header, packedBody: body.span.bytes)
  }

  /// Returns the byte ranges of the header and the body in `frame`.
  ///
  /// - Parameter maximumHeader: The maximum size of the header, in bytes.
  /// - Throws: ``WireError`` if the length of the header is malformed, exceeds `maximumHeader`, or
  ///   points beyond the end of the frame.
  public static func split(
    _ frame: RawSpan, maximumHeader: Int = maximumHeaderBytes
  ) throws(WireError) -> (header: Range<Int>, body: Range<Int>) {
    let (length, start) = try Varint.read(frame)
    guard length <= maximumHeader else { throw .headerTooLarge(bytes: Int(length)) }
    let end = start + Int(length)
    guard end <= frame.byteCount else { throw .truncated }
    return (start..<end, end..<frame.byteCount)
  }

  /// Returns the byte ranges, within a message, of the header and the body of the frame at `place`.
  ///
  /// - Throws: The same ``WireError`` as for a separate frame.
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

  private static func pack(_ frame: borrowing ArenaWireFrame) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: frame.count) { buffer, count in
      count = unsafe frame.write(to: buffer)
    }
  }

  private static func pack(
    _ header: ArenaMessage, bodyCount: Int,
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
