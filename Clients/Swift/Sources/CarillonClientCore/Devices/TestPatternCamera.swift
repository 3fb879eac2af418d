import Dispatch

/// A virtual camera that captures a test pattern. The patterns of the front camera and of the back
/// camera have different colors.
///
/// Both cameras capture 1280 × 720 and three smaller sizes with the same aspect ratio, at 30 frames
/// per second.
package final class TestPatternCamera: CameraDriver {
  package let device: MediaDevice
  private let tint: (u: UInt8, v: UInt8)
  private let ticker = FrameTicker()

  package static let front = MediaDevice(label: "Virtual Front Camera", type: .videoFrontCamera)
  package static let back = MediaDevice(label: "Virtual Back Camera", type: .videoBackCamera)

  static let formats = [
    VideoCaptureFormat(width: 1280, height: 720, maxFrameRate: 30),
    VideoCaptureFormat(width: 960, height: 540, maxFrameRate: 30),
    VideoCaptureFormat(width: 640, height: 360, maxFrameRate: 30),
    VideoCaptureFormat(width: 320, height: 180, maxFrameRate: 30),
  ]

  /// A new front camera and a new back camera.
  package static var all: [any CameraDriver] {
    [TestPatternCamera(front, (150, 105)), TestPatternCamera(back, (105, 150))]
  }

  private init(_ device: MediaDevice, _ tint: (u: UInt8, v: UInt8)) {
    self.device = device
    self.tint = tint
  }

  package var formats: [VideoCaptureFormat] { Self.formats }

  package func start(
    _ format: VideoCaptureFormat, deliver: @escaping @Sendable (VideoFrame) -> Void
  ) {
    let pattern = TestPattern(width: format.width, height: format.height, tint: tint)
    ticker.start(framesPerSecond: format.maxFrameRate) { number in
      guard let buffer = pattern.picture(number) else { return }
      deliver(
        VideoFrame(
          timestampNs: Int64(DispatchTime.now().uptimeNanoseconds), rotation: .rotation0,
          buffer: buffer))
    }
  }

  package func stop() { ticker.stop() }
}
