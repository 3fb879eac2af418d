/// A header and a body, ready for the caller to pack into a buffer. ``WireFrame`` packs the same
/// format into an array.
///
/// A prepared frame occupies the ``WireArena`` of its thread. Pack and release the frame before the
/// next `await`.
@safe public struct ArenaWireFrame: ~Copyable {
  /// The size of the packed frame in bytes.
  public let count: Int

  private let header: ArenaMessage
  private let body: ArenaMessage?
  private let packedBody: [UInt8]
  private let arena: WireArena

  /// Prepares a frame with a header and a body.
  ///
  /// A header longer than ``WireFrame/maximumHeaderBytes`` causes no error here. The receiver
  /// rejects the frame.
  public init(header: some WireMessage, body: some WireMessage) {
    let arena = WireArena()
    let header = header.prepare(in: arena)
    let body = body.prepare(in: arena)
    count = Varint.count(header.count) + header.count + body.count
    self.header = header
    self.body = body
    packedBody = []
    self.arena = arena
  }

  /// Prepares a frame whose body is a ``V1/SessionEvents`` with at most one event and one position.
  public init(
    header: some WireMessage, event: V1.SessionEvent?, at position: V1.StreamPosition? = nil
  ) {
    let arena = WireArena()
    let header = header.prepare(in: arena)
    let body = arena.prepare(event, at: position)
    count = Varint.count(header.count) + header.count + body.count
    self.header = header
    self.body = body
    packedBody = []
    self.arena = arena
  }

  /// Prepares a frame with a packed body.
  public init(header: some WireMessage, packedBody: [UInt8]) {
    let arena = WireArena()
    let header = header.prepare(in: arena)
    count = Varint.count(header.count) + header.count + packedBody.count
    self.header = header
    body = nil
    self.packedBody = packedBody
    self.arena = arena
  }

  /// Prepares a frame without a body.
  public init(header: some WireMessage) {
    let arena = WireArena()
    let header = header.prepare(in: arena)
    count = Varint.count(header.count) + header.count
    self.header = header
    body = nil
    packedBody = []
    self.arena = arena
  }

  /// Appends the frame to `output`, which must have room for ``count`` bytes.
  public borrowing func write(to output: inout OutputRawSpan) {
    precondition(output.freeCapacity >= count, "The buffer has no room for the frame.")
    unsafe output.withUnsafeMutableBytes { bytes, written in
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[written...])
      written += unsafe write(to: room.assumingMemoryBound(to: UInt8.self))
    }
  }

  /// Writes the frame at the start of `buffer`, which must have room for ``count`` bytes.
  ///
  /// - Returns: The number of bytes written.
  @unsafe borrowing func write(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    unsafe Varint.write(header.count, to: buffer)
    var written = Varint.count(header.count)
    written += unsafe header.write(to: .init(rebasing: buffer[written...]))
    if let body { written += unsafe body.write(to: .init(rebasing: buffer[written...])) }
    let end = written + packedBody.count
    _ = unsafe UnsafeMutableBufferPointer(rebasing: buffer[written..<end])
      .update(fromContentsOf: packedBody)
    return end
  }
}
