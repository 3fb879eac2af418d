internal import CarillonClient

/// A client of the Swift library in this process that sends and watches video.
final class VideoWatcher: Sendable {
  let name: String
  let attendeeID: String
  let journal = EventJournal<VideoEvent>()
  private let session: DefaultMeetingSession

  init(_ configuration: MeetingSessionConfiguration) {
    name = configuration.credentials.externalUserId
    attendeeID = configuration.credentials.attendeeId
    session = DefaultMeetingSession(
      configuration: configuration, logger: ConsoleLogger(name: name, level: .OFF))
    session.audioVideo.addAudioVideoObserver(observer: self)
    session.audioVideo.addContentShareObserver(observer: self)
  }

  func start() throws {
    try session.audioVideo.start(
      audioVideoConfiguration: AudioVideoConfiguration(audioDeviceCapabilities: .none))
  }

  func stop() { session.audioVideo.stop() }

  func sendCamera() {
    session.audioVideo.startLocalVideo(
      source: StillSource { [journal] in journal.record(.cameraReleased) })
  }

  func endCamera() { session.audioVideo.stopLocalVideo() }

  func watch() { session.audioVideo.startRemoteVideo() }

  func share() {
    let source = ContentShareSource()
    source.videoSource = StillSource {}
    session.audioVideo.startContentShare(source: source)
  }
}

extension VideoWatcher: AudioVideoObserver {
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

extension VideoWatcher: ContentShareObserver {
  func contentShareDidStart() { journal.record(.shareStarted) }

  func contentShareDidStop(status: ContentShareStatus) {
    journal.record(.shareStopped(status: status.statusCode.rawValue))
  }
}
