import RTP
import TestSupport
import Testing

@Suite("Redundant audio")
struct RedundantAudioTests {
  /// Returns a payload with a primary block and these copies.
  private static func payload(
    _ copies: [(type: UInt8, offset: UInt32, bytes: [UInt8])], own: [UInt8]
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    for copy in copies {
      let word = copy.offset << 10 | UInt32(copy.bytes.count)
      bytes += [0x80 | copy.type, UInt8(word >> 16), UInt8(word >> 8 & 0xFF), UInt8(word & 0xFF)]
    }
    return bytes + [111] + copies.flatMap(\.bytes) + own
  }

  @Test("a payload contains new audio and copies of earlier audio")
  func copies() throws {
    let bytes = Self.payload([(111, 3_840, [1, 2, 3]), (111, 1_920, [4])], own: [5, 6])
    let parsed = RedundantAudio(0..<bytes.count, in: bytes.span)
    let audio = try #require(parsed)
    #expect(audio.payloadType == 111 && audio.count == 2)
    #expect(Array(bytes[audio.payload]) == [5, 6])
    let (first, second) = (audio.copy(0, in: bytes.span), audio.copy(1, in: bytes.span))
    #expect(first.timestampOffset == 3_840 && Array(bytes[first.payload]) == [1, 2, 3])
    #expect(second.timestampOffset == 1_920 && Array(bytes[second.payload]) == [4])
  }

  @Test("a payload without copies begins right after the header")
  func noCopy() throws {
    let bytes: [UInt8] = [9, 9, 111, 7, 8, 9]
    let parsed = RedundantAudio(2..<5, in: bytes.span)
    let audio = try #require(parsed)
    #expect(audio.count == 0 && audio.payload == 3..<5)
  }

  @Test("the parser accepts the largest offset and length of RFC 2198")
  func limits() throws {
    let bytes = Self.payload([(111, 16_383, [UInt8](repeating: 3, count: 1_023))], own: [])
    let parsed = RedundantAudio(0..<bytes.count, in: bytes.span)
    let audio = try #require(parsed)
    let copy = audio.copy(0, in: bytes.span)
    #expect(copy.timestampOffset == 16_383 && copy.payload.count == 1_023)
    #expect(audio.payload.isEmpty)
  }

  @Test("a payload with inconsistent or too many blocks is refused")
  func refused() {
    let bytes = Self.payload([(111, 960, [1, 2, 3])], own: [5])
    for count in 0..<bytes.count - 1 {
      let isRefused = RedundantAudio(0..<count, in: bytes.span) == nil
      #expect(isRefused, "\(count) bytes")
    }
    let many = Self.payload(Array(repeating: (111, 960, [1]), count: 9), own: [5])
    let isRefused = RedundantAudio(0..<many.count, in: many.span) == nil
    #expect(isRefused)
    let beyond = RedundantAudio(0..<bytes.count + 1, in: bytes.span) == nil
    #expect(beyond)
  }

  @Test("the parser never reads beyond the payload")
  func hostile() {
    var generator = SeededGenerator(seed: 2198)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0..<64, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      guard let audio = RedundantAudio(0..<count, in: bytes.span) else { continue }
      #expect(audio.payload.upperBound == count)
      for index in 0..<audio.count {
        let copy = audio.copy(index, in: bytes.span)
        #expect(copy.payload.upperBound <= audio.payload.lowerBound)
      }
    }
  }
}
