import Testing
import VPX

struct VP8GarbageTests {
  private func frames(_ count: Int) throws -> [VP8Frame] {
    var encoder = try VP8Encoder(
      VP8Encoder.Settings(width: 160, height: 90, bitsPerSecond: 200_000, framesPerSecond: 15))
    return try (0..<count).map {
      try #require(
        try encoder.encode(
          movingPicture($0, width: 160, height: 90), timestamp: Int64($0) * 6000, duration: 6000,
          forcingKeyFrame: $0 % 8 == 0))
    }
  }

  @Test func `empty input and a frame whose key frame is missing cannot be decoded`() throws {
    var decoder = try VP8Decoder()
    #expect(throws: VPXError.self) { _ = try decode([], with: &decoder) }
    let frames = try frames(2)
    #expect(throws: VPXError.self) { _ = try decode(frames[1].bytes, with: &decoder) }
    #expect(try decode(frames[0].bytes, with: &decoder) != nil)
  }

  @Test func `a picture that is too large is refused before memory is allocated for it`()
    throws
  {
    var decoder = try VP8Decoder(mostPixels: 100 * 100)
    let frame = try frames(1)[0]
    #expect(throws: VPXError.tooLarge(width: 160, height: 90)) {
      _ = try decode(frame.bytes, with: &decoder)
    }
  }

  @Test func `random bytes never crash the decoder`() throws {
    var decoder = try VP8Decoder()
    var numbers = SeededNumbers(state: 7)
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 1...200, using: &numbers)).map { _ in
        UInt8.random(in: 0...255, using: &numbers)
      }
      _ = try? decode(bytes, with: &decoder)
    }
  }

  @Test func `a key frame is decoded after damaged frames`() throws {
    let frames = try frames(32)
    var decoder = try VP8Decoder()
    var numbers = SeededNumbers(state: 11)
    for round in 0..<20 {
      for frame in frames {
        var bytes = frame.bytes
        for _ in 0..<Int.random(in: 0...3, using: &numbers) {
          bytes[Int.random(in: bytes.indices, using: &numbers)] ^= UInt8.random(
            in: 1...255, using: &numbers)
        }
        if Bool.random(using: &numbers) {
          bytes.removeLast(Int.random(in: 0..<bytes.count, using: &numbers))
        }
        _ = try? decode(bytes, with: &decoder)
      }
      let picture = try #require(try decode(frames[0].bytes, with: &decoder), "round \(round)")
      #expect(picture.width == 160)
    }
  }
}
