import RTP
import TestSupport

/// A simulated simulcast camera. Each VP8 layer has its own SSRC, numbers and picture ids.
///
/// The data of each frame contains the frame's layer and number.
struct VideoPublisher {
  struct Layer {
    let ssrc: UInt32
    let number: Int
    var sequence: SequenceNumber
    let timestampBase: UInt32
    var packetizer: VP8Packetizer
    var needsKeyFrame = true
  }

  var layers: [Layer]
  private(set) var frameIndex = 0
  var payloadType: UInt8 = 96
  var frameBytes = 2_500

  /// The number of temporal layers. With 2, every other frame is in the base layer.
  var temporalLayers = 1

  /// The number of frames between the key frames of a layer.
  var keyFrameEvery = 1_000_000

  init(ssrcs: [UInt32], using random: inout SeededGenerator) {
    layers = ssrcs.enumerated().map { index, ssrc in
      Layer(
        ssrc: ssrc, number: index + 1,
        sequence: SequenceNumber(UInt16.random(in: 0...65_535, using: &random)),
        timestampBase: UInt32.random(in: 0...UInt32.max, using: &random),
        packetizer: VP8Packetizer(
          pictureID: UInt16.random(in: 0..<32_768, using: &random),
          baseLayerIndex: UInt8.random(in: 0...255, using: &random)))
    }
  }

  /// Returns the packets of the next frame in all layers, the lowest first.
  mutating func nextFrame() -> [[UInt8]] {
    defer { frameIndex += 1 }
    return layers.indices.flatMap { frame(of: $0) }
  }

  private mutating func frame(of index: Int) -> [[UInt8]] {
    let layer = UInt8(frameIndex % temporalLayers)
    let isKey = layer == 0 && (layers[index].needsKeyFrame || frameIndex % keyFrameEvery == 0)
    if isKey { layers[index].needsKeyFrame = false }
    var data: [UInt8] = isKey ? [0x10, 0, 0, 0x9D, 1, 0x2A, 0x80, 2, 0x68, 1] : [0x11, 0, 0]
    data += [UInt8(index + 1), UInt8(frameIndex >> 8), UInt8(frameIndex & 0xff), layer]
    data += [UInt8](repeating: 7, count: frameBytes * (index + 1) / layers.count)
    var payloads: [([UInt8], Bool)] = []
    layers[index].packetizer.packetize(
      data.span, temporalLayer: layer, isLayerSync: layer > 0, isDiscardable: layer > 0
    ) { payload, isLast in
      var copy: [UInt8] = []
      copy.append(copying: payload)
      payloads.append((copy, isLast))
    }
    return payloads.map { packet(of: index, $0, isMarked: $1) }
  }

  private mutating func packet(of index: Int, _ payload: [UInt8], isMarked: Bool) -> [UInt8] {
    var packet: [UInt8] = []
    OutgoingRTPHeader(
      payloadType: payloadType, sequence: layers[index].sequence,
      timestamp: layers[index].timestampBase &+ UInt32(frameIndex) &* 3_000,
      ssrc: layers[index].ssrc, isMarked: isMarked
    ).begin(in: &packet)
    layers[index].sequence = layers[index].sequence.advanced(by: 1)
    return packet + payload
  }
}

extension VideoPublisher {
  /// Returns a packet of padding in the first layer, after a jump of the layer's sequence numbers.
  mutating func padding(after step: Int) -> [UInt8] {
    layers[0].sequence = layers[0].sequence.advanced(by: step)
    defer { layers[0].sequence = layers[0].sequence.advanced(by: 1) }
    var packet: [UInt8] = []
    OutgoingRTPHeader(
      payloadType: payloadType, sequence: layers[0].sequence,
      timestamp: layers[0].timestampBase, ssrc: layers[0].ssrc
    ).begin(in: &packet)
    packet[0] |= 0x20
    return packet + [0, 0, 0, 4]
  }
}

/// The label in the data of a frame of ``VideoPublisher``.
struct FrameLabel: Hashable {
  let isKey: Bool
  let layer: Int
  let index: Int
  let temporalLayer: Int

  init(_ data: [UInt8]) {
    isKey = data[0] & 1 == 0
    let start = isKey ? 10 : 3
    layer = Int(data[start])
    index = Int(data[start + 1]) << 8 | Int(data[start + 2])
    temporalLayer = Int(data[start + 3])
  }
}
