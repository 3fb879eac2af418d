import RTP
import TestSupport
import Testing

@Suite struct VP8PacketizerTests {
  private struct Payload {
    let descriptor: VP8Descriptor
    let data: [UInt8]
    let isLast: Bool
  }

  private func payloads(
    _ packetizer: inout VP8Packetizer, _ frame: [UInt8], layer: UInt8 = 0
  ) throws -> [Payload] {
    var payloads: [[UInt8]] = []
    var last: [Bool] = []
    packetizer.packetize(frame.span, temporalLayer: layer) { payload, isLast in
      #expect(payload.count <= packetizerLimit)
      var copy: [UInt8] = []
      copy.append(copying: payload)
      payloads.append(copy)
      last.append(isLast)
    }
    return try zip(payloads, last).map { payload, isLast in
      let (descriptor, start) = try #require(VP8Descriptor.read(payload))
      return Payload(
        descriptor: descriptor, data: Array(payload[start...]), isLast: isLast)
    }
  }

  private let packetizerLimit = 1_200

  @Test(arguments: [1, 1_193, 1_194, 1_195, 2_388, 2_389, 50_000])
  func `a frame is split into payloads within the limit`(size: Int) throws {
    var random = SeededGenerator(seed: 5)
    let frame = random.bytes(size)
    var packetizer = VP8Packetizer(maximumPayloadBytes: packetizerLimit)
    let payloads = try payloads(&packetizer, frame)
    #expect(payloads.count == (size + 1_193) / 1_194)
    #expect(payloads.flatMap(\.data) == frame)
    #expect(payloads.map(\.isLast) == payloads.indices.map { $0 == payloads.count - 1 })
    #expect(payloads.map(\.descriptor.startsFrame) == payloads.indices.map { $0 == 0 })
  }

  @Test func `picture ids wrap, and the index of the base layer counts base layer frames`() throws {
    var packetizer = VP8Packetizer(pictureID: 32_767, baseLayerIndex: 255)
    let first = try payloads(&packetizer, [1])[0].descriptor
    let second = try payloads(&packetizer, [1], layer: 1)[0].descriptor
    let third = try payloads(&packetizer, [1])[0].descriptor
    #expect([first, second, third].map(\.pictureID?.value) == [32_767, 0, 1])
    #expect([first, second, third].map(\.baseLayerIndex) == [0, 0, 1])
    #expect([first, second, third].map(\.temporalLayer) == [0, 1, 0])
  }

  @Test func `an empty frame has no payloads`() throws {
    var packetizer = VP8Packetizer()
    #expect(try payloads(&packetizer, []).isEmpty)
  }
}
