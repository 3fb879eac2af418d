import Foundation
import Synchronization

@testable import CarillonClientCore

/// A source that records its sinks, and delivers frames when the test requests frames.
final class ScriptedSource: NSObject, VideoCaptureSource, @unchecked Sendable {
  private let lock = NSLock()
  private var sinks: [any VideoSink] = []
  private var notes: [String] = []
  var videoContentHint = VideoContentHint.motion

  var sinkCount: Int { lock.withLock { sinks.count } }

  /// The commands that the source received as a camera.
  var commands: [String] { lock.withLock { notes } }

  func addVideoSink(sink: any VideoSink) { lock.withLock { sinks.append(sink) } }

  func removeVideoSink(sink: any VideoSink) {
    lock.withLock { sinks.removeAll { $0 === sink } }
  }

  func give(_ frame: VideoFrame) {
    for sink in lock.withLock({ sinks }) { sink.onVideoFrameReceived(frame: frame) }
  }

  func start() { lock.withLock { notes.append("start") } }
  func stop() { lock.withLock { notes.append("stop") } }
  func addCaptureSourceObserver(observer: any CaptureSourceObserver) {}
  func removeCaptureSourceObserver(observer: any CaptureSourceObserver) {}
}

/// A picture that has only a size.
final class BlankBuffer: VideoFrameBuffer {
  private let size: (width: Int, height: Int)

  init(_ width: Int, _ height: Int) { size = (width, height) }

  func width() -> Int { size.width }
  func height() -> Int { size.height }
}

extension VideoFrame {
  static func blank(_ width: Int = 640, _ height: Int = 360) -> VideoFrame {
    VideoFrame(timestampNs: 0, rotation: .rotation0, buffer: BlankBuffer(width, height))
  }
}

extension ContentShareSource {
  convenience init(_ source: any VideoSource) {
    self.init()
    videoSource = source
  }
}

extension Recorder: VideoTileObserver {
  func videoTileDidAdd(tileState: VideoTileState) {
    let size = "\(tileState.videoStreamContentWidth)x\(tileState.videoStreamContentHeight)"
    note("add \(tileState.tileId) \(tileState.attendeeId) \(tileState.pauseState) \(size)")
  }
  func videoTileDidRemove(tileState: VideoTileState) { note("remove \(tileState.tileId)") }
  func videoTileDidPause(tileState: VideoTileState) { note("pause \(tileState.tileId)") }
  func videoTileDidResume(tileState: VideoTileState) { note("resume \(tileState.tileId)") }
  func videoTileSizeDidChange(tileState: VideoTileState) {
    let size = "\(tileState.videoStreamContentWidth)x\(tileState.videoStreamContentHeight)"
    note("size \(tileState.tileId) \(size)")
  }
}

extension Recorder: ContentShareObserver {
  func contentShareDidStart() { note("share started") }
  func contentShareDidStop(status: ContentShareStatus) {
    note("share stopped \(status.statusCode)")
  }
}
