import Foundation
import Testing

@testable import CarillonClientCore

struct SourceTests {
  @Test(arguments: [(640, 360), (320, 180), (160, 90), (1280, 720)])
  func `the number in a test picture can be read`(width: Int, height: Int) throws {
    let pattern = TestPattern(width: width, height: height, tint: (128, 128))
    for number in [0, 1, 2, 255, 4711, 65_535] {
      let picture = try #require(pattern.picture(number))
      #expect(FrameCounter.read(picture) == number)
    }
    #expect(FrameCounter.read(try #require(pattern.picture(65_536 + 3))) == 3)
  }

  @Test func `no number is read from a picture without a number`() throws {
    let grey = [UInt8](repeating: 128, count: 640 * 360)
    let half = [UInt8](repeating: 128, count: 320 * 180)
    let picture = try #require(
      VideoFrameI420Buffer(
        width: 640, height: 360, dataY: grey, strideY: 640, dataU: half, strideU: 320,
        dataV: half, strideV: 320))
    #expect(FrameCounter.read(picture) == nil)
    #expect(FrameCounter.read(BlankBuffer(640, 360)) == nil)
  }

  @Test func `a Y4M file is read frame by frame and starts over at its end`() throws {
    var data = Data("YUV4MPEG2 W4 H2 F30:2 Ip A1:1 C420jpeg\n".utf8)
    for number in 0..<3 {
      data.append(Data("FRAME\n".utf8))
      data.append(Data((0..<12).map { UInt8(number * 20 + $0) }))
    }
    data.append(Data("FRAME\ncut".utf8))
    let file = try Y4MFile(data)
    #expect(file.width == 4 && file.height == 2)
    #expect(file.framesPerSecond == 15 && file.frameCount == 3)
    let picture = try #require(file.picture(4))
    #expect(picture.dataY == [20, 21, 22, 23, 24, 25, 26, 27])
    #expect(picture.dataU == [28, 29] && picture.dataV == [30, 31])
  }

  @Test(arguments: [
    ("", Y4MError.malformed), ("YUV4MPEG2 W4\n", .malformed), ("RIFF W4 H2\n", .malformed),
    ("YUV4MPEG2 W0 H2\n", .malformed), ("YUV4MPEG2 W99999999999999999999 H2\n", .malformed),
    ("YUV4MPEG2 W4 H2 C444\n", .unsupported(colourSpace: "444")),
    ("YUV4MPEG2 W4 H2 C420p10\n", .unsupported(colourSpace: "420p10")),
    ("YUV4MPEG2 W4 H2\nFRAME\nabc", .empty),
  ])
  func `a file that is not Y4M is refused`(text: String, error: Y4MError) {
    #expect(throws: error) { _ = try Y4MFile(Data(text.utf8)) }
  }

  @Test func `a processor changes or drops frames and releases its source`() {
    let source = ScriptedSource()
    let stamps = Stamps()
    do {
      let processor = VideoProcessor(source) { frame in
        frame.timestampNs == 2
          ? nil
          : VideoFrame(
            timestampNs: frame.timestampNs * 10, rotation: .rotation0, buffer: frame.buffer)
      }
      processor.addVideoSink(sink: stamps)
      for number in 1...3 {
        source.give(
          VideoFrame(
            timestampNs: Int64(number), rotation: .rotation0, buffer: BlankBuffer(2, 2)))
      }
      #expect(source.sinkCount == 1)
    }
    #expect(stamps.values == [10, 30])
    #expect(source.sinkCount == 0)
  }

  @Test func `a camera reports each start and stop, even a stop while it is already stopped`() async
  {
    let recorder = Recorder()
    let camera = DefaultCameraCaptureSource(
      drivers: TestPatternCamera.all, log: SessionLogger(logger: RecordingLogger()))
    let observer = CaptureNotes()
    camera.addCaptureSourceObserver(observer: observer)
    camera.stop()
    camera.start()
    camera.stop()
    _ = await recorder.lines()
    #expect(observer.notes == ["stop", "start", "stop"])
    #expect(
      camera.format == VideoCaptureFormat(width: 1280, height: 720, maxFrameRate: 30))
    camera.format = VideoCaptureFormat(width: 300, height: 200, maxFrameRate: 30)
    #expect(camera.format.width == 320)
    camera.torchEnabled = true
    #expect(!camera.torchEnabled)
  }
}

private final class Stamps: VideoSink {
  // The test itself delivers all frames, on one thread.
  nonisolated(unsafe) var values: [Int64] = []

  func onVideoFrameReceived(frame: VideoFrame) { values.append(frame.timestampNs) }
}

final class CaptureNotes: CaptureSourceObserver {
  // The main thread writes the notes. The test reads them after it has waited for the main queue.
  nonisolated(unsafe) var notes: [String] = []

  func captureDidStart() { notes.append("start") }
  func captureDidStop() { notes.append("stop") }
  func captureDidFail(error: CaptureSourceError) { notes.append("fail \(error)") }
}
