import RTP
import TestSupport
import Testing

@Suite struct H264Tests {
  @Test(
    arguments: [
      // Baseline profile, 640 × 360, cropped from a height of 368.
      ([0x67, 0x42, 0xC0, 0x1E, 0xDA, 0x02, 0x80, 0xBF, 0xE5, 0x80], 640, 360),
      // High profile, 1920 × 1080, with emulation prevention bytes.
      (
        [
          0x67, 0x64, 0x00, 0x28, 0xAC, 0xD9, 0x40, 0x78, 0x02, 0x27, 0xE5, 0xC0, 0x44, 0x00, 0x00,
          0x03, 0x00, 0x04, 0x00, 0x00, 0x03, 0x00, 0xF0, 0x3C, 0x60, 0xC6, 0x58,
        ], 1_920, 1_080
      ),
    ] as [([UInt8], Int, Int)])
  func `sequence parameters contain the size of the video`(unit: [UInt8], width: Int, height: Int)
    throws
  {
    let parameters = try #require(H264SequenceParameters(unit))
    #expect(parameters.width == width)
    #expect(parameters.height == height)
    for count in 0..<7 { #expect(H264SequenceParameters(Array(unit[..<count])) == nil) }
  }

  @Test(
    arguments: [
      ([0x67, 0x42], true), ([0x65, 0x88], true), ([0x65, 0x08], false), ([0x41, 0x88], false),
      ([0x78, 0, 2, 0x68, 1, 0, 2, 0x67, 1], true), ([0x78, 0, 2, 0x68, 1, 0, 2, 0x41, 1], false),
      ([0x7C, 0x85, 0x88], true), ([0x7C, 0x05, 0x88], false), ([0x7C, 0x81, 0x88], false),
      ([], false),
      ([0x7C], false), ([0x78, 0, 9, 0x67], false), ([0x79, 0, 0, 0, 0], false),
    ] as [([UInt8], Bool)])
  func `a key frame starts with parameters or its first slice`(payload: [UInt8], starts: Bool) {
    let found = H264Payload.startsKeyFrame(payload.span)
    #expect(found == starts)
  }

  @Test func `small NAL units are combined in one packet, and large NAL units are split`() {
    let small: [UInt8] = [0, 0, 1, 0x67, 1, 2, 0, 0, 0, 1, 0x68, 3]
    let large: [UInt8] = [0, 0, 0, 1, 0x65] + [UInt8](repeating: 0x88, count: 1_200)
    var packetizer = H264Packetizer()
    var payloads: [(bytes: [UInt8], isLast: Bool)] = []
    packetizer.packetize((small + large).span) { payload, isLast in
      var copy: [UInt8] = []
      copy.append(copying: payload)
      payloads.append((copy, isLast))
    }
    #expect(payloads.map(\.isLast) == [false, false, true])
    #expect(payloads.allSatisfy { $0.bytes.count <= 1_200 })
    #expect(payloads.first?.bytes == [0x78, 0, 3, 0x67, 1, 2, 0, 2, 0x68, 3])
    #expect(
      payloads.map { H264Payload($0.bytes) } == [
        .aggregate, .fragment(header: 0x65, isFirst: true, isLast: false),
        .fragment(header: 0x65, isFirst: false, isLast: true),
      ])
  }

  @Test func `the parser survives random bytes`() {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<20_000 {
      var bytes = random.bytes(Int.random(in: 0...40, using: &random))
      _ = H264Payload.startsKeyFrame(bytes.span)
      _ = H264Payload.sequenceParameters(bytes.span)
      _ = H264Payload.keyFrameParts(bytes.span)
      if !bytes.isEmpty { bytes[0] = 0x67 }
      if let parameters = H264SequenceParameters(bytes) {
        #expect(parameters.width > 0 && parameters.height > 0)
      }
    }
  }
}
