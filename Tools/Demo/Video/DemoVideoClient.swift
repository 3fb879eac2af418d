internal import CarillonClient
internal import MeetingViews
internal import Synchronization

/// A client of the Swift library in this process. The client sends and watches video.
final class DemoVideoClient: Sendable {
  let name: String
  let attendeeID: String
  let journal = ObservedEventLog<VideoEvent>()
  /// The pictures of other participants that the client saw.
  let tally = PictureTally()
  private let session: DefaultMeetingSession
  private let endCapture = Mutex<(@Sendable () -> Void)?>(nil)
  private let views = Mutex([CountingView]())

  init(_ configuration: MeetingSessionConfiguration) {
    name = configuration.credentials.externalUserId
    attendeeID = configuration.credentials.attendeeId
    session = DefaultMeetingSession(
      configuration: configuration, logger: ConsoleLogger(name: name, level: .OFF),
      audio: MediaAudio())
    session.audioVideo.addAudioVideoObserver(observer: self)
    session.audioVideo.addVideoTileObserver(observer: self)
    session.audioVideo.addContentShareObserver(observer: self)
  }

  func start() throws {
    try session.audioVideo.start(
      audioVideoConfiguration: AudioVideoConfiguration(audioDeviceCapabilities: .none))
  }

  func stop() {
    session.audioVideo.stop()
    endCapture.withLock { $0.take() }?()
  }

  /// Sends a test pattern in three sizes. The session encodes each frame when the source draws the
  /// frame.
  func sendLive() {
    let camera = TestPatternSource(width: 640, height: 360, framesPerSecond: 15)
    camera.start()
    endCapture.withLock { $0 = { camera.stop() } }
    session.audioVideo.startLocalVideo(source: camera)
  }

  /// Sends a recording in a loop.
  ///
  /// - Parameter position: The index of the first picture to send.
  func replay(_ recording: VideoRecording, from position: Int) {
    let camera = VideoReplay(of: recording, from: position)
    camera.start()
    endCapture.withLock { $0 = { camera.stop() } }
    session.audioVideo.startLocalVideo(
      source: camera,
      config: LocalVideoConfiguration(maxBitRateKbps: 100, simulcastEnabled: false))
  }

  /// Tries to send the video of a camera, and records when the session releases the camera.
  func tryCamera() {
    session.audioVideo.startLocalVideo(
      source: EmptyVideoSource { [journal] in journal.record(.cameraReleased) })
  }

  func endCamera() { session.audioVideo.stopLocalVideo() }

  func watch() { session.audioVideo.startRemoteVideo() }

  func share() {
    let source = ContentShareSource()
    source.videoSource = EmptyVideoSource {}
    session.audioVideo.startContentShare(source: source)
  }
}

extension DemoVideoClient: AudioVideoObserver {
  func audioSessionDidStartConnecting(reconnecting: Bool) {}
  func audioSessionDidStart(reconnecting: Bool) { journal.record(.joined) }
  func audioSessionDidDrop() {}
  func audioSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {
    journal.record(.ended(status: Int(sessionStatus.statusCode.rawValue)))
  }
  func audioSessionDidCancelReconnect() {}
  func connectionDidRecover() {}
  func connectionDidBecomePoor() {}
  func videoSessionDidStartConnecting() {}
  func videoSessionDidStartWithStatus(sessionStatus: MeetingSessionStatus) {
    journal.record(.status(Int(sessionStatus.statusCode.rawValue)))
  }
  func videoSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {}
  func remoteVideoSourcesDidBecomeAvailable(sources: [RemoteVideoSource]) {
    for source in sources { journal.record(.available(source.attendeeId)) }
  }
  func remoteVideoSourcesDidBecomeUnavailable(sources: [RemoteVideoSource]) {
    for source in sources { journal.record(.unavailable(source.attendeeId)) }
  }
  func cameraSendAvailabilityDidChange(available: Bool) {
    journal.record(.mayPublish(available))
  }
}

extension DemoVideoClient: VideoTileObserver {
  func videoTileDidAdd(tileState: VideoTileState) {
    guard !tileState.isLocalTile else { return }
    journal.record(.tileAdded(tileState.attendeeId))
    let view = CountingView(of: tileState.attendeeId, tally)
    views.withLock { $0.append(view) }
    session.audioVideo.bindVideoView(videoView: view, tileId: tileState.tileId)
  }
  func videoTileDidRemove(tileState: VideoTileState) {
    if !tileState.isLocalTile { journal.record(.tileRemoved(tileState.attendeeId)) }
  }
  func videoTileDidPause(tileState: VideoTileState) {}
  func videoTileDidResume(tileState: VideoTileState) {}
  func videoTileSizeDidChange(tileState: VideoTileState) {}
}

extension DemoVideoClient: ContentShareObserver {
  func contentShareDidStart() { journal.record(.shareStarted) }

  func contentShareDidStop(status: ContentShareStatus) {
    journal.record(.shareStopped(status: status.statusCode.rawValue))
  }
}
