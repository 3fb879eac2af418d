import Testing

@testable import Wire

@Suite struct BundleTests {
  private func frame(_ callID: UInt64) -> ArenaWireFrame {
    ArenaWireFrame(header: V1.ReplyHeader(callID: callID, kind: .reply))
  }

  private func bytes(_ callID: UInt64) -> [UInt8] {
    WireFrame.pack(header: V1.ReplyHeader(callID: callID, kind: .reply))
  }

  private func frames(of message: [UInt8]) throws -> [[UInt8]] {
    var reader = try WireFrameBundle.Reader(message.span.bytes)
    var frames: [[UInt8]] = []
    while let place = reader.next(in: message.span.bytes) { frames.append(Array(message[place])) }
    return frames
  }

  private func message(of bundle: WireFrameBundle) -> [UInt8] {
    bundle.withMessage { message in
      (0..<message.byteCount).map { message.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
    }
  }

  @Test func `a bundle of one frame equals that frame`() {
    var bundle = WireFrameBundle()
    bundle.append(frame(7))
    #expect(message(of: bundle) == bytes(7))
    #expect(bundle.count == 1)
  }

  @Test func `a bundle keeps the order of its frames and can be reused`() throws {
    var bundle = WireFrameBundle()
    for ids in [[1, 300, 2], [UInt64](1...64), [9]] {
      for id in ids { bundle.append(frame(id)) }
      #expect(bundle.count == ids.count)
      #expect(try frames(of: message(of: bundle)) == ids.map(bytes))
      bundle.removeAll()
      #expect(bundle.count == 0)
      #expect(bundle.byteCount == 0)
    }
  }

  @Test func `a message of one frame is read unchanged`() throws {
    #expect(try frames(of: bytes(7) + [1, 2]) == [bytes(7) + [1, 2]])
  }

  @Test(
    arguments: [
      ([0], WireError.malformedBundle),
      ([0x80, 0], .malformedBundle),
      ([0, 0], .truncated),
      ([0, 2, 1], .truncated),
      ([0, 0x80], .truncated),
      ([0, 1, 0], .malformedBundle),
      ([0, 2, 1, 8, 2, 0, 0], .malformedBundle),
      ([0, 2, 1, 8, 3, 1], .truncated),
      ([0] + (0..<65).flatMap { _ in [2, 1, 8] as [UInt8] }, .malformedBundle),
    ] as [([UInt8], WireError)])
  func `an invalid bundle is refused as a whole`(message: [UInt8], error: WireError) {
    #expect(throws: error) { try frames(of: message) }
  }

  @Test func `a bundle with too many frames stops the process`() async {
    await #expect(processExitsWith: .failure) {
      var bundle = WireFrameBundle()
      for id in 0...UInt64(WireFrameBundle.mostFrames) {
        bundle.append(ArenaWireFrame(header: V1.ReplyHeader(callID: id, kind: .reply)))
      }
    }
  }
}
