import Foundation
import Synchronization
import Testing

@testable import CarillonClientCore

struct CameraEventTests {
  /// A camera that delivers a picture when the test requests a picture.
  private final class StubDriver: CameraDriver {
    let device = MediaDevice(label: "Stub", type: .videoFrontCamera)
    let formats = [VideoCaptureFormat(width: 2, height: 2, maxFrameRate: 30)]
    private let deliver = Mutex<(@Sendable (VideoFrame) -> Void)?>(nil)

    func start(
      _ format: VideoCaptureFormat, deliver: @escaping @Sendable (VideoFrame) -> Void
    ) { self.deliver.withLock { $0 = deliver } }

    func stop() { deliver.withLock { $0 = nil } }

    func give() {
      deliver.withLock { $0 }?(
        VideoFrame(timestampNs: 1, rotation: .rotation0, buffer: BlankBuffer(2, 2)))
    }
  }

  @Test func `a camera without new pictures is reported as interrupted until the next picture`()
    async throws
  {
    let reporter = EventAnalyticsTests.Reporter()
    let fixture = SessionFixture(reporter: reporter, observesEvents: true)
    let (driver, time) = (StubDriver(), fixture.time)
    let camera = DefaultCameraCaptureSource(
      drivers: [driver], log: SessionLogger(logger: fixture.logger),
      nowNs: { UInt64(time.nowMs) * 1_000_000 },
      makeScheduler: { time.makeScheduler(intervalMs: 500, callback: $0) })
    camera.setEventAnalyticsController(
      eventAnalyticsController: fixture.session.eventAnalyticsController)
    camera.start()
    time.advance(byMs: 900)
    driver.give()
    time.advance(byMs: 900)
    driver.give()
    #expect(fixture.history == [])
    time.advance(byMs: 5000)
    #expect(fixture.history == ["videoInterruptionBegan"])
    #expect(
      reporter.attribute(.videoInterruptionReason, of: .videoInterruptionBegan)
        as? VideoInterruptionReason == .other)
    driver.give()
    driver.give()
    #expect(fixture.history == ["videoInterruptionBegan", "videoInterruptionEnded"])
    camera.stop()
    time.advance(byMs: 5000)
    #expect(fixture.history.count == 2)
    #expect(time.runningTimers == 0)
    #expect(await fixture.recorder.lines().filter { $0.hasPrefix("event") } == [])
  }

  @Test func `a missing camera pauses the capture but is not reported as an interruption`() throws {
    let reporter = EventAnalyticsTests.Reporter()
    let fixture = SessionFixture(reporter: reporter, observesEvents: true)
    let (driver, time) = (StubDriver(), fixture.time)
    let camera = DefaultCameraCaptureSource(
      drivers: [driver], log: SessionLogger(logger: fixture.logger),
      nowNs: { UInt64(time.nowMs) * 1_000_000 },
      makeScheduler: { time.makeScheduler(intervalMs: 500, callback: $0) })
    camera.setEventAnalyticsController(
      eventAnalyticsController: fixture.session.eventAnalyticsController)
    let sink = CountingSink()
    camera.addVideoSink(sink: sink)
    camera.start()
    driver.give()
    camera.switchCamera()
    #expect(camera.device == nil)
    driver.give()
    time.advance(byMs: 10_000)
    #expect(fixture.history == ["videoInputFailed"])
    #expect(
      reporter.attribute(.videoInputError, of: .videoInputFailed) as? MediaError
        == .noCameraSelected)
    #expect(time.runningTimers == 0)
    camera.switchCamera()
    #expect(camera.device == driver.device)
    driver.give()
    #expect(sink.count == 2)
    time.advance(byMs: 10_000)
    #expect(
      fixture.history == ["videoInputFailed", "videoInputSelected", "videoInterruptionBegan"])
  }

  /// A sink that counts the received pictures.
  private final class CountingSink: VideoSink {
    private let received = Mutex(0)
    var count: Int { received.withLock { $0 } }
    func onVideoFrameReceived(frame: VideoFrame) { received.withLock { $0 += 1 } }
  }

  @Test func `the choice of a camera is recorded in the history but not reported to observers`()
    async
  {
    let fixture = SessionFixture(observesEvents: true)
    let camera = DefaultCameraCaptureSource(
      drivers: TestPatternCamera.all, log: SessionLogger(logger: fixture.logger))
    camera.setEventAnalyticsController(
      eventAnalyticsController: fixture.session.eventAnalyticsController)
    camera.switchCamera()
    camera.device = TestPatternCamera.front
    #expect(fixture.history == ["videoInputSelected", "videoInputSelected"])
    #expect(await fixture.recorder.lines() == [])
  }

  @Test func `a picture after a long pause causes reports of the interruption's start and end`() {
    var watch = CaptureStallDetector(framesPerSecond: 30, startedAt: 0)
    #expect(watch.frameCame(at: 1_000_000_000) == [])
    #expect(watch.frameCame(at: 3_000_000_000) == [.interrupted, .resumed])
    #expect(watch.frameCame(at: 2_000_000_000) == [])
    #expect(watch.look(at: 4_000_000_001) == [.interrupted])
    #expect(watch.look(at: 9_000_000_000) == [])
    #expect(watch.frameCame(at: 9_000_000_000) == [.resumed])
  }

  @Test func `a slow camera is reported as interrupted only after five missing pictures`() {
    var watch = CaptureStallDetector(framesPerSecond: 1, startedAt: 0)
    #expect(watch.look(at: 5_000_000_000) == [])
    #expect(watch.look(at: 5_000_000_001) == [.interrupted])
  }
}
