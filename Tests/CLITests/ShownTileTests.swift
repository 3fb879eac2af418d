import CarillonClientCore
import Testing

@testable import CLI
@testable import Output

@Suite struct ShownTileTests {
  /// A picture of one colour with a number. The picture is rotated so that the frame's rotation
  /// makes it upright.
  private func frame(
    _ number: Int?, width: Int, height: Int, _ yuv: (UInt8, UInt8, UInt8),
    turned rotation: VideoRotation = .rotation0
  ) throws -> VideoFrame {
    var luma = [UInt8](repeating: yuv.0, count: width * height)
    if let number { FrameCounter.draw(number, into: &luma, width: width, height: height) }
    let chroma = width / 2 * (height / 2)
    let upright = try #require(
      VideoFrameI420Buffer(
        width: width, height: height, dataY: luma, strideY: width,
        dataU: [UInt8](repeating: yuv.1, count: chroma), strideU: width / 2,
        dataV: [UInt8](repeating: yuv.2, count: chroma), strideV: width / 2))
    let back = VideoRotation(rawValue: (360 - rotation.rawValue) % 360) ?? .rotation0
    return VideoFrame(timestampNs: 0, rotation: rotation, buffer: upright.rotated(by: back))
  }

  @Test(arguments: [VideoRotation.rotation0, .rotation90, .rotation180, .rotation270])
  func `a tile shows the size, the number and the colour of the upright picture`(
    rotation: VideoRotation
  ) throws {
    var tile = ShownTile(tileID: 7, attendeeID: "ada")
    tile.take(try frame(nil, width: 128, height: 96, (16, 128, 128), turned: rotation))
    #expect((tile.frames, tile.numbered, tile.number) == (1, 0, nil))
    #expect(tile.colour == "#000000")
    // The red of BT.601.
    tile.take(try frame(4_711, width: 128, height: 96, (81, 90, 240), turned: rotation))
    #expect((tile.width, tile.height) == (128, 96))
    #expect((tile.frames, tile.numbered, tile.number) == (2, 1, 4_711))
    #expect(tile.colour == "#fe0000")
    #expect(
      tile.record.json
        == #"{"event": "viewed", "tile_id": 7, "attendee_id": "ada", "codec": "VP8", "#
        + #""width": 128, "height": 96, "frames": 2, "numbered": 1, "number": 4711, "#
        + ##""colour": "#fe0000"}"##)
  }

  @Test func `a tile with H.264 counts encoded frames and has no colour`() {
    var tile = ShownTile(tileID: 7, attendeeID: "ada")
    let vp8 = EncodedFrame(
      codec: .vp8, data: [1], timestampNs: 0, isKeyFrame: true, width: 320, height: 180)
    tile.take(vp8)
    #expect(tile.frames == 0)
    let h264 = EncodedFrame(
      codec: .h264, data: [1], timestampNs: 0, isKeyFrame: true, rotation: .rotation90, width: 320,
      height: 180)
    tile.take(h264)
    #expect((tile.codec, tile.frames, tile.colour) == (.h264, 1, nil))
    #expect((tile.width, tile.height) == (180, 320))
  }
}
