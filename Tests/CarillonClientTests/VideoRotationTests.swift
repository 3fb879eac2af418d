import Testing

@testable import CarillonClientCore

@Suite struct VideoRotationTests {
  /// A picture of 3 × 2 pixels whose rows have one byte of padding.
  private func picture() throws -> VideoFrameI420Buffer {
    try #require(
      VideoFrameI420Buffer(
        width: 3, height: 2, dataY: [1, 2, 3, 0, 4, 5, 6, 0], strideY: 4, dataU: [7, 8, 0],
        strideU: 3, dataV: [9, 10], strideV: 2))
  }

  @Test(
    arguments: [
      (.rotation90, [4, 1, 5, 2, 6, 3], [7, 8], 2, 3),
      (.rotation180, [6, 5, 4, 3, 2, 1], [8, 7], 3, 2),
      (.rotation270, [3, 6, 2, 5, 1, 4], [8, 7], 2, 3),
    ] as [(VideoRotation, [UInt8], [UInt8], Int, Int)])
  func `a picture is rotated clockwise`(
    rotation: VideoRotation, luma: [UInt8], blue: [UInt8], width: Int, height: Int
  ) throws {
    let rotated = try picture().rotated(by: rotation)
    #expect((rotated.width(), rotated.height()) == (width, height))
    #expect(rotated.dataY == luma && rotated.strideY == width)
    #expect(rotated.dataU == blue && rotated.strideU == (width + 1) / 2)
    #expect(rotated.dataV == blue.map { $0 + 2 })
  }

  @Test func `an upright frame needs no rotation, and a rotated frame becomes upright`() throws {
    let frame = VideoFrame(timestampNs: 5, rotation: .rotation0, buffer: try picture())
    #expect(frame.upright() === frame)
    let turned = VideoFrame(timestampNs: 5, rotation: .rotation90, buffer: try picture())
    let upright = turned.upright()
    #expect(upright.rotation == .rotation0 && upright.timestampNs == 5)
    #expect((upright.width, upright.height) == (2, 3))
    let unknown = VideoFrame(timestampNs: 5, rotation: .rotation90, buffer: BlankBuffer(2, 2))
    #expect(unknown.upright() === unknown)
  }
}
