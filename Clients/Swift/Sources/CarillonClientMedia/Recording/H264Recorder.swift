public import CarillonClientCore
public import Foundation
internal import Synchronization

/// A sink that records the H.264 video of a tile in a file, without decoding the video.
///
/// The file has the byte stream format (ITU-T H.264, annex B). Players such as `ffplay` and `mpv`
/// play files of this format whose names end in `.h264`. The file begins with a key frame. After a
/// loss, the recording continues with the next key frame. When the size of the video changes, the
/// size changes inside the file, too. The file states the rotation of its pictures. The format has
/// no times, so a player shows the frames at a constant rate. A program that needs times can write
/// its own ``EncodedVideoSink``.
///
/// The recorder ignores frames of other codecs. So the file grows only while the tile's video is
/// H.264.
public final class H264Recorder: EncodedVideoSink {
  private struct State {
    var file: FileHandle?
    var format = H264FileFormat()
    var frameCount = 0
    var failure: (any Error)?
  }

  private let state: Mutex<State>

  /// Creates the file, and overwrites an existing file.
  ///
  /// - Throws: An error of the file system.
  public init(to url: URL) throws {
    try Data().write(to: url)
    state = Mutex(State(file: try FileHandle(forWritingTo: url)))
  }

  deinit { close() }

  /// The number of frames in the file.
  public var frameCount: Int { state.withLock { $0.frameCount } }

  /// The error of the file system that ended the recording; `nil` if there is none.
  public var failure: (any Error)? { state.withLock { $0.failure } }

  public func onEncodedFrameReceived(frame: EncodedFrame) {
    state.withLock { state in
      guard let file = state.file, let bytes = state.format.bytes(of: frame) else { return }
      do {
        try file.write(contentsOf: Data(bytes))
        state.frameCount += 1
      } catch {
        state.failure = error
        state.file = nil
        try? file.close()
      }
    }
  }

  /// Completes the file. The recorder ignores later frames.
  public func close() {
    state.withLock { state in
      try? state.file?.close()
      state.file = nil
    }
  }
}
