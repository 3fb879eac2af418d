/// A header and a body, ready to be packed into one buffer: what ``WireFrame`` packs, for buffers
/// of somebody else.
///
/// Holds the thread's ``WireArena``: pack it and let it go before anything is awaited.
@safe public struct PreparedFrame: ~Copyable {
  /// How many bytes ``write(to:)`` appends.
  public let count: Int

  private let header: PreparedMessage
  private let body: PreparedMessage?
  private let packedBody: [UInt8]
  private let arena: WireArena

  /// - Returns: The frame. A header beyond ``WireFrame/maximumHeaderBytes`` is packed all the same,
  ///   and refused by whoever gets it.
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

  /// A frame around ``V1/SessionEvents`` of at most one event and at most one position.
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

  /// A frame around a body that is packed already.
  public init(header: some WireMessage, packedBody: [UInt8]) {
    let arena = WireArena()
    let header = header.prepare(in: arena)
    count = Varint.count(header.count) + header.count + packedBody.count
    self.header = header
    body = nil
    self.packedBody = packedBody
    self.arena = arena
  }

  /// A frame without a body.
  public init(header: some WireMessage) {
    let arena = WireArena()
    let header = header.prepare(in: arena)
    count = Varint.count(header.count) + header.count
    self.header = header
    body = nil
    packedBody = []
    self.arena = arena
  }

  /// Appends the frame to `output`, which has room for ``count`` bytes.
  public borrowing func write(to output: inout OutputRawSpan) {
    precondition(output.freeCapacity >= count, "The buffer has no room for the frame.")
    unsafe output.withUnsafeMutableBytes { bytes, written in
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[written...])
      written += unsafe write(to: room.assumingMemoryBound(to: UInt8.self))
    }
  }

  /// Packs the frame to the start of `buffer`, which has room for ``count`` bytes.
  ///
  /// - Returns: How many bytes it was.
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
