public import Foundation

/// What a capture of the screen hands out: a picture, or some sound. It stands for Apple's
/// `CMSampleBuffer`.
public final class SampleBuffer: NSObject, Sendable {
  /// The picture; `nil` in a buffer of sound.
  public let imageBuffer: PixelBuffer?

  /// When it was taken, in nanoseconds of the monotonic clock.
  public let presentationTimeNs: Int64

  /// Makes a buffer of a picture, or of sound, which nobody here reads.
  public init(imageBuffer: PixelBuffer?, presentationTimeNs: Int64) {
    self.imageBuffer = imageBuffer
    self.presentationTimeNs = presentationTimeNs
  }
}

/// What a capture of the screen hands out a buffer of.
public enum SampleBufferType: Int, CaseNamed {
  /// The screen.
  case video = 1
  /// What the applications play.
  case audioApp = 2
  /// The microphone.
  case audioMic = 3
}

/// What programs for Apple's systems call it.
public typealias CMSampleBuffer = SampleBuffer

/// What programs for Apple's systems call it.
public typealias RPSampleBufferType = SampleBufferType

extension VideoFrame {
  /// The picture of a buffer, upright.
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
  /// Takes what a capture of the screen hands out, from any thread. Sound is left out: it goes by
  /// the session's microphone.
  public func processSampleBuffer(sampleBuffer: CMSampleBuffer, type: RPSampleBufferType) {
    guard type == .video, let frame = VideoFrame(sampleBuffer: sampleBuffer) else { return }
    processFrame(frame)
  }
}
