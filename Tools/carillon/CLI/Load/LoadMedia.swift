internal import CarillonClient
internal import Output
internal import Synchronization

/// The sound and pictures of a client of a load test, with counts of the received sound and
/// pictures.
final class LoadMedia: Sendable {
  let session: DefaultMeetingSession
  private let camera: DefaultCameraCaptureSource?
  private let tally: MediaTally
  private let views = Mutex<[TallyView]>([])

  init(_ configuration: MeetingSessionConfiguration, isTalking: Bool, isFilming: Bool) {
    let tally = MediaTally()
    let logger = ConsoleLogger(name: configuration.credentials.externalUserId, level: .OFF)
    session = DefaultMeetingSession(
      configuration: configuration, logger: logger,
      audio: MediaAudio(
        source: isTalking ? ToneSource() : SilenceSource(), sink: CountingAudioSink(tally)))
    camera = isFilming ? DefaultCameraCaptureSource(logger: logger) : nil
    self.tally = tally
    session.audioVideo.addVideoTileObserver(observer: self)
  }

  /// The counts so far.
  var counts: MediaTally.Counts { tally.counts }

  /// Starts the camera and the reception of the other clients' video, after the join.
  func begin() {
    session.audioVideo.startRemoteVideo()
    guard let camera else { return }
    camera.format = VideoCaptureFormat(
      width: LoadMediaPlan.width, height: LoadMediaPlan.height,
      maxFrameRate: LoadMediaPlan.framesPerSecond)
    camera.start()
    session.audioVideo.startLocalVideo(
      source: camera, config: LocalVideoConfiguration(simulcastEnabled: false))
  }

  /// Stops the camera.
  func end() { camera?.stop() }
}

extension LoadMedia: VideoTileObserver {
  func videoTileDidAdd(tileState: VideoTileState) {
    guard !tileState.isLocalTile else { return }
    let view = TallyView(tally)
    views.withLock { $0.append(view) }
    session.audioVideo.bindVideoView(videoView: view, tileId: tileState.tileId)
  }

  func videoTileDidRemove(tileState: VideoTileState) {}
  func videoTileDidPause(tileState: VideoTileState) {}
  func videoTileDidResume(tileState: VideoTileState) {}
  func videoTileSizeDidChange(tileState: VideoTileState) {}
}

/// Counts the sound and pictures that a client receives.
final class MediaTally: Sendable {
  struct Counts: Hashable, Sendable {
    /// The number of played pieces of 20 ms.
    var pieces = 0

    /// The number of played pieces with speech.
    var spoken = 0
    /// The number of shown frames of all cameras.
    var frames = 0

    static func - (after: Counts, before: Counts) -> Counts {
      Counts(
        pieces: after.pieces - before.pieces, spoken: after.spoken - before.spoken,
        frames: after.frames - before.frames)
    }
  }

  private let state = Mutex(Counts())

  var counts: Counts { state.withLock { $0 } }

  func count(_ change: (inout Counts) -> Void) { state.withLock { change(&$0) } }
}

/// A loudspeaker that only counts the played pieces.
private final class CountingAudioSink: AudioSink {
  private let tally: MediaTally

  /// The amplitude of samples below which this type does not regard a piece as speech.
  private static let loudness = 500

  init(_ tally: MediaTally) { self.tally = tally }

  func write(_ samples: Span<Int16>, channels: Int) {
    let isSpoken = samples.indices.contains { abs(Int(samples[$0])) > Self.loudness }
    tally.count { counts in
      counts.pieces += 1
      counts.spoken += isSpoken ? 1 : 0
    }
  }
}

/// A view that only counts frames.
private final class TallyView: VideoRenderView, Sendable {
  private let tally: MediaTally

  init(_ tally: MediaTally) { self.tally = tally }

  func onVideoFrameReceived(frame: VideoFrame) { tally.count { $0.frames += 1 } }
}
