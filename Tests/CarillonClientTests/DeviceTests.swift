import Foundation
import Testing

@testable import CarillonClientCore

struct DeviceTests {
  private func fixture(makeCamera: Bool = true) -> SessionFixture {
    SessionFixture(makeCamera: {
      makeCamera
        ? DefaultCameraCaptureSource(
          drivers: TestPatternCamera.all, log: SessionLogger(logger: RecordingLogger())) : nil
    })
  }

  /// Covers rule 57 of the conformance list for `AudioVideoFacade`.
  @Test func `the second audio device is the loudspeaker and can be chosen`() {
    let audioVideo = fixture().audioVideo
    let devices = audioVideo.listAudioDevices()
    #expect(devices.map(\.label) == ["Virtual Microphone", "Built-in Speaker"])
    #expect(devices[1].type == .audioBuiltInSpeaker && devices[1].port == nil)
    #expect(audioVideo.getActiveAudioDevice()?.label == "Virtual Microphone")
    audioVideo.chooseAudioDevice(mediaDevice: devices[1])
    #expect(audioVideo.getActiveAudioDevice()?.type == .audioBuiltInSpeaker)
    audioVideo.chooseAudioDevice(mediaDevice: devices[0])
    #expect(audioVideo.getActiveAudioDevice()?.label == "Virtual Microphone")
  }

  @Test func `the choice of an unknown audio device is recorded as an event and changes nothing`() {
    let fixture = fixture()
    let other = MediaDevice(
      label: "Other", port: MediaDevicePort(uid: "x", name: "x", portType: "bluetooth"))
    fixture.audioVideo.chooseAudioDevice(mediaDevice: other)
    #expect(fixture.history == ["audioInputFailed"])
    #expect(fixture.audioVideo.getActiveAudioDevice()?.label == "Virtual Microphone")
  }

  /// Covers rule 58 of the conformance list for `AudioVideoFacade`.
  @Test func `the internal camera can be switched but another source cannot`() async throws {
    let fixture = fixture()
    try await fixture.connect()
    try fixture.audioVideo.startLocalVideo()
    #expect(fixture.audioVideo.getActiveCamera()?.type == .videoFrontCamera)
    fixture.audioVideo.switchCamera()
    #expect(fixture.audioVideo.getActiveCamera()?.type == .videoBackCamera)
    fixture.audioVideo.switchCamera()
    #expect(fixture.audioVideo.getActiveCamera()?.type == .videoFrontCamera)
    fixture.audioVideo.startLocalVideo(source: ScriptedSource())
    fixture.audioVideo.switchCamera()
    #expect(fixture.audioVideo.getActiveCamera() == nil)
    fixture.audioVideo.stopLocalVideo()
    #expect(fixture.audioVideo.getActiveCamera() == nil)
  }

  @Test func `a session sends video from the camera that was chosen before the start`()
    async throws
  {
    let fixture = fixture()
    #expect(fixture.audioVideo.getActiveCamera()?.type == .videoFrontCamera)
    fixture.audioVideo.switchCamera()
    try await fixture.connect()
    #expect(fixture.audioVideo.getActiveCamera()?.type == .videoBackCamera)
    try fixture.audioVideo.startLocalVideo()
    #expect(fixture.audioVideo.getActiveCamera()?.type == .videoBackCamera)
    fixture.audioVideo.stopLocalVideo()
    fixture.audioVideo.switchCamera()
    #expect(fixture.audioVideo.getActiveCamera() == nil)
    try fixture.audioVideo.startLocalVideo()
    #expect(fixture.audioVideo.getActiveCamera()?.type == .videoBackCamera)
    fixture.audioVideo.stop()
    #expect(fixture.audioVideo.getActiveCamera() == nil)
  }

  @Test func `cameras list formats up to a size limit, and other devices list no formats`() {
    let cameras = MediaDevice.listVideoDevices()
    #expect(cameras.map(\.type) == [.videoFrontCamera, .videoBackCamera])
    let formats = MediaDevice.listSupportedVideoCaptureFormats(mediaDevice: cameras[0])
    #expect(formats.map(\.width) == [1280, 960, 640, 320])
    #expect(formats.allSatisfy { $0.maxFrameRate == 30 && $0.height <= 720 })
    #expect(
      MediaDevice.listSupportedVideoCaptureFormats(
        mediaDevice: cameras[1], videoMaxResolution: .low
      ).map(\.width) == [320])
    let other = MediaDevice(label: "Other", type: .other)
    #expect(MediaDevice.listSupportedVideoCaptureFormats(mediaDevice: other).isEmpty)
  }

  @Test func `observers learn of new devices and of the removal of a device in use`() async throws {
    let routes = VirtualAudioRoutes()
    let fixture = SessionFixture()
    let controller = DefaultDeviceController(
      routes: routes, localVideo: LocalVideo(frames: nil),
      eventAnalytics: try #require(
        fixture.session.eventAnalyticsController as? DefaultEventAnalyticsController),
      log: SessionLogger(logger: fixture.logger))
    let observer = DeviceObserver()
    controller.addDeviceChangeObserver(observer: observer)
    let headset = MediaDevice(
      label: "Headset", port: MediaDevicePort(uid: "h", name: "Headset", portType: "headset"))
    routes.plug(headset)
    routes.unplug(headset)
    routes.plug(headset)
    controller.chooseAudioDevice(mediaDevice: headset)
    routes.unplug(headset)
    _ = await fixture.recorder.lines()
    let both = ["Virtual Microphone", "Built-in Speaker", "Headset"]
    #expect(observer.lists == [both, both, ["Virtual Microphone", "Built-in Speaker"]])
  }

  /// Covers rule 59 of the conformance list for `AudioVideoFacade`.
  @Test func `the last frame of a still screen is resent five times a second, with new timestamps`()
    throws
  {
    let time = ManualTime()
    let frames = FrameList()
    let resender = LastFrameRepeater(
      nowNs: { UInt64(time.nowMs) * 1_000_000 },
      makeScheduler: { time.makeScheduler(intervalMs: LastFrameRepeater.intervalMs, callback: $0) },
      deliver: { frames.add($0.timestampNs) })
    resender.take(
      VideoFrame(timestampNs: 7_000_000, rotation: .rotation0, buffer: BlankBuffer(2, 2)))
    time.advance(byMs: 1000)
    #expect(frames.stamps == (0...5).map { 7_000_000 + $0 * 200_000_000 })
    resender.stop()
    time.advance(byMs: 1000)
    #expect(frames.stamps.count == 6)
  }
}

private final class DeviceObserver: DeviceChangeObserver {
  // The main thread writes the lists. The test reads them after it has waited for the main queue.
  nonisolated(unsafe) var lists: [[String]] = []

  func audioDeviceDidChange(freshAudioDeviceList: [MediaDevice]) {
    lists.append(freshAudioDeviceList.map(\.label))
  }
}

private final class FrameList: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Int64] = []

  var stamps: [Int64] { lock.withLock { values } }

  func add(_ stamp: Int64) { lock.withLock { values.append(stamp) } }
}
