import Testing

@testable import Wire

@Suite struct FrameTests {
  private let header = V1.ReplyHeader(callID: 300, kind: .item)

  @Test func `a frame consists of length, header and body`() throws {
    let body = V1.Status(code: .aborted, message: "Look the owner up again.")
    let frame = WireFrame.pack(header: header, body: body)
    #expect(frame == [UInt8(header.packedCount)] + header.packed() + body.packed())
    #expect(WireFrame.pack(header: header, packedBody: body.packed()) == frame)
    #expect(WireFrame.pack(header: header, packedBody: body.packed().span.bytes) == frame)
    let parts = try WireFrame.split(frame.span.bytes)
    #expect(try V1.ReplyHeader(packed: Array(frame[parts.header])) == header)
    #expect(try V1.Status(packed: Array(frame[parts.body])) == body)
  }

  @Test func `a frame may lack a body and have an empty header`() throws {
    #expect(WireFrame.pack(header: header) == [UInt8(header.packedCount)] + header.packed())
    #expect(WireFrame.pack(header: V1.ReplyHeader(), body: V1.Status()) == [0])
    let frame: [UInt8] = [0, 1, 2]
    let parts = try WireFrame.split(frame.span.bytes)
    #expect(parts.header == 1..<1)
    #expect(parts.body == 1..<3)
  }

  @Test(arguments: [127, 128, 129, 300, 4095, 4096])
  func `a header of up to 4096 bytes is accepted`(count: Int) throws {
    let header = headerOf(count)
    let frame = WireFrame.pack(header: header, packedBody: [1, 2])
    let parts = try WireFrame.split(frame.span.bytes)
    #expect(parts.header.count == count)
    #expect(Array(frame[parts.body]) == [1, 2])
    #expect(try V1.EventHeader(packed: Array(frame[parts.header])) == header)
  }

  @Test func `a header of more than 4096 bytes can be packed but is refused on reading`() {
    let frame = WireFrame.pack(header: headerOf(4097), packedBody: [])
    #expect(throws: WireError.headerTooLarge(bytes: 4097)) { try WireFrame.split(frame.span.bytes) }
  }

  /// Returns a header of exactly `count` packed bytes.
  private func headerOf(_ count: Int) -> V1.EventHeader {
    let overhead = count - 2 < 128 ? 2 : 3
    return V1.EventHeader(meetingID: String(repeating: "m", count: count - overhead))
  }

  @Test(arguments: [
    ([], WireError.truncated),
    ([0x80], .truncated),
    ([0x80, 0x80, 0x80, 0x80], .truncated),
    ([0x80, 0x80, 0x80, 0x80, 0x80], .malformedLength),
    ([0x80, 0x80, 0x80, 0x80, 0x80, 0], .malformedLength),
    ([0xff, 0xff, 0xff, 0xff, 0x1f], .malformedLength),
    ([0xff, 0xff, 0xff, 0xff, 0x0f], .headerTooLarge(bytes: Int(UInt32.max))),
    ([1], .truncated),
    ([5, 1, 2, 3, 4], .truncated),
    ([0x81, 0x20], .headerTooLarge(bytes: 4097)),
    ([0x80, 0x20], .truncated),
  ])
  func `a frame with an incomplete or oversized header is refused`(frame: [UInt8], error: WireError)
  {
    #expect(throws: error) { try WireFrame.split(frame.span.bytes) }
  }

  @Test(arguments: [0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152, Int(UInt32.max)])
  func `a written length is read back unchanged`(value: Int) throws {
    let count = Varint.count(value)
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      Varint.write(value, to: buffer)
      initialized = count
    }
    let read = try Varint.read(bytes.span.bytes)
    #expect(Int(read.value) == value)
    #expect(read.end == count)
    #expect(bytes == varint(UInt64(value)))
  }

  @Test func `random bytes are split into a header and a body, or refused`() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      let frame = generator.bytes(upTo: 40)
      guard let parts = try? WireFrame.split(frame.span.bytes) else { continue }
      #expect(parts.header.upperBound == parts.body.lowerBound)
      #expect(parts.body.upperBound == frame.count)
    }
  }
}
