package import CarillonClientCore
internal import Dispatch
internal import Synchronization

/// A source that plays a recording in a loop at almost no cost, because nothing is encoded.
///
/// The session sends the recorded frames under its own sequence numbers, and skips to the next key
/// frame when one is requested. A source serves one session. It has one layer. If a publication has
/// several layers, only the lowest layer is sent.
package final class VideoReplay: VideoSource, Sendable {
  private let hint = Mutex(VideoContentHint.motion)
  private let buffer: RecordedBuffer
  private let framesPerSecond: Int
  private let sinks = SinkList()
  private let ticker = FrameTicker()

  /// - Parameter position: The number of the first frame to play; not negative.
  package init(of recording: VideoRecording, from position: Int = 0) {
    buffer = RecordedBuffer(recording, from: position)
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
