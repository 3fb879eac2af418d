package import CarillonClientCore
internal import Dispatch
internal import Synchronization

/// A source that plays a recording in a loop. The source encodes nothing, so the source needs
/// little processor time.
///
/// The session sends the recorded frames with the session's own sequence numbers. When a receiver
/// requests a key frame, the session skips to the next key frame. One session at a time can use a
/// source. A source has one layer: if a publication has several layers, the session sends only the
/// lowest layer.
package final class VideoReplay: VideoSource, Sendable {
  private let hint = Mutex(VideoContentHint.motion)
  private let buffer: RecordingPlaybackBuffer
  private let framesPerSecond: Int
  private let sinks = SinkList()
  private let ticker = FrameTicker()

  /// - Parameter position: The number of the first frame to play; not negative.
  package init(of recording: VideoRecording, from position: Int = 0) {
    buffer = RecordingPlaybackBuffer(recording, from: position)
    framesPerSecond = recording.framesPerSecond
  }

  package var videoContentHint: VideoContentHint {
    get { hint.withLock { $0 } }
    set { hint.withLock { $0 = newValue } }
  }

  package func start() {
    ticker.start(framesPerSecond: framesPerSecond) { [buffer, sinks] _ in
      sinks.deliver(
        VideoFrame(
          timestampNs: Int64(DispatchTime.now().uptimeNanoseconds), rotation: .rotation0,
          buffer: buffer))
    }
  }

  package func stop() { ticker.stop() }

  package func addVideoSink(sink: any VideoSink) { sinks.add(sink) }

  package func removeVideoSink(sink: any VideoSink) { sinks.remove(sink) }
}
