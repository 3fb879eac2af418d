internal import CarillonClient
internal import Foundation
internal import Output
internal import Synchronization

/// One tile of `carillon join`. The type counts the tile's pictures and records H.264 video.
final class JoinTile: VideoRenderView, EncodedVideoSink {
  private struct State {
    var shown: ShownTile
    var recorder: H264Recorder?
    var problem: String?
  }

  private let state: Mutex<State>
  /// The file of the recording; `nil` if the command records nothing.
  private let file: URL?

  /// - Parameter file: The file to record to. The tile creates this file with the first H.264
  ///   frame.
  init(_ shown: ShownTile, recordingTo file: URL?) {
    state = Mutex(State(shown: shown))
    self.file = file
  }

  var shown: ShownTile { state.withLock { $0.shown } }

  func onVideoFrameReceived(frame: VideoFrame) { state.withLock { $0.shown.take(frame) } }

  func onEncodedFrameReceived(frame: EncodedFrame) {
    state.withLock { state in
      state.shown.take(frame)
      guard let file, frame.codec == .h264, state.problem == nil else { return }
      do {
        let recorder = try state.recorder ?? H264Recorder(to: file)
        state.recorder = recorder
        recorder.onEncodedFrameReceived(frame: frame)
        if let failure = recorder.failure { throw failure }
      } catch {
        state.problem = "\(error)"
        Console.error("carillon: \(file.path) cannot be written, and ends here: \(error)")
      }
    }
  }

  /// Completes the recording, and returns a record of it; `nil` if the tile recorded nothing.
  func close() -> OutputRecord? {
    state.withLock { state in
      guard let recorder = state.recorder.take(), let file else { return nil }
      recorder.close()
      return [
        "event": "recorded", "tile_id": JSONValue(state.shown.tileID),
        "attendee_id": .text(state.shown.attendeeID), "file": .text(file.path),
        "frames": JSONValue(recorder.frameCount),
      ]
    }
  }
}
