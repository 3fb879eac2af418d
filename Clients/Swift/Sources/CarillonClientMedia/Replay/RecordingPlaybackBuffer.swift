internal import CarillonClientCore
internal import Synchronization
internal import VPX

/// The buffer of a played recording. The buffer returns the next encoded frame of the recording.
final class RecordingPlaybackBuffer: VideoFrameBuffer, Sendable {
  private let recording: VideoRecording
  private let position: Mutex<Int>

  /// - Parameter position: The number of the first frame to play; not negative.
  init(_ recording: VideoRecording, from position: Int) {
    self.recording = recording
    self.position = Mutex(position)
  }

  func width() -> Int { recording.width }

  func height() -> Int { recording.height }

  /// Returns the next frame, or the next key frame if `forcingKeyFrame` is true; `nil` if there is
  /// no such frame.
  func next(forcingKeyFrame: Bool) -> VP8Frame? {
    let frames = recording.frames
    return position.withLock { position in
      for offset in frames.indices {
        let frame = frames[(position + offset) % frames.count]
        guard frame.isKeyFrame || !forcingKeyFrame else { continue }
        position = (position + offset + 1) % frames.count
        return frame
      }
      return nil
    }
  }
}
