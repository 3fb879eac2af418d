import Foundation
import Testing

@testable import CarillonClientCore
@testable import GuidePrograms

/// Tests of the substitutes for Apple's types.
struct CompatibilityTests {
  /// Returns a picture of one colour, given as blue, green and red.
  private static func bgra(_ b: UInt8, _ g: UInt8, _ r: UInt8, width: Int, height: Int) -> [UInt8] {
    (0..<(width * height)).flatMap { _ in [b, g, r, 255] }
  }

  @Test(arguments: [
    ([UInt8(255), 255, 255], [UInt8(235), 128, 128]), ([0, 0, 0], [16, 128, 128]),
    ([0, 0, 255], [82, 90, 240]), ([255, 0, 0], [41, 240, 110]), ([0, 255, 0], [144, 54, 34]),
  ])
  func `a BGRA picture is converted with the colours of BT 601`(colour: [UInt8], yuv: [UInt8])
    throws
  {
    let pixels = try #require(
      PixelBuffer(
        width: 3, height: 3, format: .bgra,
        bytes: Self.bgra(colour[0], colour[1], colour[2], width: 3, height: 3), bytesPerRow: 12))
    let buffer = VideoFramePixelBuffer(pixelBuffer: pixels)
    #expect((buffer.width(), buffer.height()) == (3, 3))
    let planes = try #require(buffer.i420)
    #expect(planes.dataY == [UInt8](repeating: yuv[0], count: 9))
    #expect(planes.dataU == [UInt8](repeating: yuv[1], count: 4))
    #expect(planes.dataV == [UInt8](repeating: yuv[2], count: 4))
  }

  @Test func `an NV12 picture is split into planes without its padding`() throws {
    // A picture of 3 x 3 pixels: rows of luma with 6 bytes each, and then two rows of U and V.
    let bytes: [UInt8] = [
      1, 2, 3, 0, 0, 0, 4, 5, 6, 0, 0, 0, 7, 8, 9, 0, 0, 0,
      10, 20, 11, 21, 0, 0, 12, 22, 13, 23,
    ]
    let pixels = try #require(
      PixelBuffer(width: 3, height: 3, format: .nv12, bytes: bytes, bytesPerRow: 6))
    let planes = try #require(VideoFramePixelBuffer(pixelBuffer: pixels).i420)
    #expect(planes.strideY == 6 && planes.dataY == Array(bytes[..<18]))
    #expect(planes.dataU == [10, 11, 12, 13] && planes.dataV == [20, 21, 22, 23])
  }

  @Test(arguments: [
    (0, 2, 100, 8), (2, 0, 100, 8), (2, 2, 15, 8), (2, 2, 100, 7), (16_384, 1, 100_000, 65_536),
    (2, 2, 100, Int.max), (2, 2, 100, -8),
  ])
  func `a pixel buffer with an impossible size or stride is refused`(
    width: Int, height: Int, count: Int, bytesPerRow: Int
  ) {
    #expect(
      PixelBuffer(
        width: width, height: height, format: .bgra, bytes: [UInt8](repeating: 0, count: count),
        bytesPerRow: bytesPerRow) == nil)
  }

  @Test func `a screen capture's video buffers become frames, but the audio buffers do not`() throws
  {
    let pixels = try #require(
      CVPixelBuffer(
        width: 2, height: 2, format: .bgra, bytes: Self.bgra(1, 2, 3, width: 2, height: 2),
        bytesPerRow: 8))
    let source = ReplayKitSource(logger: RecordingLogger())
    defer { source.stop() }
    let sink = Frames()
    source.addVideoSink(sink: sink)
    let picture = CMSampleBuffer(imageBuffer: pixels, presentationTimeNs: 77)
    source.processSampleBuffer(sampleBuffer: picture, type: .audioApp)
    source.processSampleBuffer(sampleBuffer: picture, type: .audioMic)
    source.processSampleBuffer(
      sampleBuffer: CMSampleBuffer(imageBuffer: nil, presentationTimeNs: 78), type: .video)
    #expect(sink.stamps == [])
    source.processSampleBuffer(sampleBuffer: picture, type: .video)
    #expect(sink.stamps.first == 77)
  }

  @Test func `an index path has an item and a section`() {
    let path = IndexPath(item: 3, section: 1)
    #expect((path.item, path.section) == (3, 1))
    #expect(path == IndexPath(indexes: [1, 3]))
  }

  @Test func `an application may implement the session and the device controller itself`() {
    let session = OwnMeetingSession(MeetingSessionWithoutMedia(SessionFixture().session))
    _ = session.audioVideo.getMeetingHistory()
    #expect(session.askedForFacade == 1 && session.configuration.meetingId == "m")
    let devices = OwnDeviceController()
    devices.plug(MediaDevice(label: "Own", type: .audioHandset))
    devices.chooseAudioDevice(mediaDevice: devices.listAudioDevices()[0])
    #expect(devices.getActiveAudioDevice()?.label == "Own")
  }
}

private final class Frames: NSObject, VideoSink, @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Int64] = []

  var stamps: [Int64] { lock.withLock { values } }

  func onVideoFrameReceived(frame: VideoFrame) {
    lock.withLock { values.append(frame.timestampNs) }
  }
}
