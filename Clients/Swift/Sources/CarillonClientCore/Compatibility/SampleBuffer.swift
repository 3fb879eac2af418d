public import Foundation

/// A picture or some audio from a screen capture. This class replaces Apple's `CMSampleBuffer`.
public final class SampleBuffer: NSObject, Sendable {
  /// The picture; `nil` in a buffer of audio.
  public let imageBuffer: PixelBuffer?

  /// The time of the capture, in nanoseconds of the monotonic clock.
  public let presentationTimeNs: Int64

  /// Creates a buffer of a picture or of audio. This library does not read the audio.
  public init(imageBuffer: PixelBuffer?, presentationTimeNs: Int64) {
    self.imageBuffer = imageBuffer
    self.presentationTimeNs = presentationTimeNs
  }
}

/// The kinds of buffers in a screen capture.
public enum SampleBufferType: Int, CaseNamed {
  /// The screen.
  case video = 1
  /// The audio that applications play.
  case audioApp = 2
  /// The microphone.
  case audioMic = 3
}

/// The name of `SampleBuffer` on Apple's systems.
public typealias CMSampleBuffer = SampleBuffer

/// The name of `SampleBufferType` on Apple's systems.
public typealias RPSampleBufferType = SampleBufferType

extension VideoFrame {
  /// Creates a frame from a buffer's picture, without rotation.
  ///
  /// - Returns: `nil` for a buffer without a picture.
  public convenience init?(sampleBuffer: CMSampleBuffer) {
    guard let image = sampleBuffer.imageBuffer else { return nil }
    self.init(
      timestampNs: sampleBuffer.presentationTimeNs, rotation: .rotation0,
      buffer: VideoFramePixelBuffer(pixelBuffer: image))
  }
}

extension ReplayKitSource {
  /// Sends the picture of a captured buffer.
  ///
  /// Any thread may call this method. The method ignores audio, because the session sends the audio
  /// of its own microphone.
  public func processSampleBuffer(sampleBuffer: CMSampleBuffer, type: RPSampleBufferType) {
    guard type == .video, let frame = VideoFrame(sampleBuffer: sampleBuffer) else { return }
    processFrame(frame)
  }
}
