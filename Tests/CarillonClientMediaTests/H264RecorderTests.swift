import CarillonClientCore
import Foundation
import TestSupport
import Testing

@testable import CarillonClientMedia

@Suite struct H264RecorderTests {
  private static let key: [UInt8] = H264TestStream.parameters + [0, 0, 0, 1, 0x65, 0x80, 1]
  private static let delta: [UInt8] = [0, 0, 0, 1, 0x41, 0x80, 2]

  private func frame(
    _ data: [UInt8], _ codec: CarillonClientCore.VideoCodec = .h264,
    _ rotation: VideoRotation = .rotation0
  ) -> EncodedFrame {
    EncodedFrame(
      codec: codec, data: data, timestampNs: 0, isKeyFrame: data != Self.delta, rotation: rotation,
      width: 640, height: 360)
  }

  /// The message "display orientation" with this payload.
  private func message(_ payload: [UInt8]) -> [UInt8] {
    [0, 0, 0, 1, 6, 47, UInt8(payload.count)] + payload + [0x80]
  }

  @Test func `a file begins with a key frame, also after frames of another codec`() {
    var format = H264FileFormat()
    #expect(format.bytes(of: frame(Self.delta)) == nil)
    #expect(format.bytes(of: frame(Self.key)) == Self.key)
    #expect(format.bytes(of: frame(Self.delta)) == Self.delta)
    #expect(format.bytes(of: frame([1, 2], .vp8)) == nil)
    #expect(format.bytes(of: frame(Self.delta)) == nil)
    #expect(format.bytes(of: frame(Self.key)) == Self.key)
  }

  @Test(
    arguments: [
      (.rotation90, [0x18, 0x00, 0x14]), (.rotation180, [0x10, 0x00, 0x14]),
      (.rotation270, [0x08, 0x00, 0x14]),
    ] as [(VideoRotation, [UInt8])])
  func `a file states the rotation of each turned frame`(
    rotation: VideoRotation, payload: [UInt8]
  ) {
    var format = H264FileFormat()
    let turned = H264TestStream.parameters + message(payload) + [0, 0, 0, 1, 0x65, 0x80, 1]
    #expect(format.bytes(of: frame(Self.key, .h264, rotation)) == turned)
    #expect(format.bytes(of: frame(Self.delta)) == Self.delta)
    #expect(
      format.bytes(of: frame(Self.delta, .h264, rotation)) == message(payload) + Self.delta)
    #expect(format.bytes(of: frame(Self.key)) == Self.key)
  }

  @Test func `the recorder writes a file until it is closed`() async throws {
    try await withTemporaryDirectory { directory in
      let url = URL(filePath: directory + "/ada.h264")
      try Data([9, 9, 9]).write(to: url)
      let recorder = try H264Recorder(to: url)
      for data in [Self.delta, Self.key, Self.delta] {
        recorder.onEncodedFrameReceived(frame: frame(data))
      }
      #expect(recorder.frameCount == 2)
      recorder.close()
      recorder.onEncodedFrameReceived(frame: frame(Self.key))
      #expect(try Data(contentsOf: url) == Data(Self.key + Self.delta))
      #expect(recorder.frameCount == 2)
      #expect(recorder.failure == nil)
    }
  }

  @Test func `a full disk ends the recording and is reported`() throws {
    let recorder = try H264Recorder(to: URL(filePath: "/dev/full"))
    for data in [Self.key, Self.delta] {
      recorder.onEncodedFrameReceived(frame: frame(data))
    }
    #expect(recorder.failure != nil)
    #expect(recorder.frameCount == 0)
  }
}
