internal import Wire
internal import ZeroMQ

/// The video of one session: the server's reports and the application's requests.
///
/// All calls run on the socket thread. Only ``wishes`` may also change on other threads.
final class SessionVideo: SessionComponent {
  let wishes: RequestedVideoBox
  /// The attendee id under which the session publishes.
  private var participantId: String
  private let joinedId: String
  private let synchronizer: VideoRequestSynchronizer
  private let delegate: any SessionConnectionDelegate
  private let media: (any MediaEngine)?
  private var board: ClientTileState
  private let missingAlarm: ThreadTimer
  private var dropTime = Duration.seconds(5)

  /// The last status from the server. The status shows whether the session may send camera video.
  private var status: MeetingSessionStatusCode?
  private var isCameraAvailable: Bool?

  /// The tracks that the media engine knows.
  private var toldTracks: [RemoteVideoTrack] = []

  /// The last status that this type reported to the delegate on this connection; `nil` before the
  /// first report.
  private var toldStatus: MeetingSessionStatusCode?

  init(
    of participantId: String, telling delegate: any SessionConnectionDelegate,
    _ media: (any MediaEngine)?, _ wishes: RequestedVideoBox, on thread: SocketThread,
    logger: SessionLogger
  ) {
    self.participantId = participantId
    joinedId = participantId
    self.media = media
    self.wishes = wishes
    self.delegate = delegate
    missingAlarm = ThreadTimer(on: thread)
    board = ClientTileState(of: participantId)
    synchronizer = VideoRequestSynchronizer(wishes, logger: logger)
  }

  // MARK: The connection

  /// Returns the choices that the client sends in `Start` after a lost connection.
  func declare() -> V1.VideoChoices { synchronizer.declare() }

  func begin(_ started: V1.SessionStarted, on link: GatewayConnection) {
    if let seconds = started.limits?.dropAfterSeconds, seconds > 0 { dropTime = .seconds(seconds) }
    // If the gateway has not recovered the session, a snapshot follows and reports the status of
    // the camera.
    if started.isRecovered, let status { tell(status) }
    synchronizer.onPublished = { [media] in media?.setPublished($0) }
    synchronizer.onUpdate = { [delegate] in delegate.videoDidTell($0) }
    synchronizer.begin(on: link)
  }

  func keepAliveWasAnswered() { synchronizer.keepAliveWasAnswered() }

  func connectionWasLost() {
    toldStatus = nil
    synchronizer.connectionWasLost()
  }

  func close() {
    missingAlarm.cancel()
    synchronizer.close()
  }

  /// Sends the changed requests.
  func wishesDidChange() { synchronizer.tell() }

  /// Sets the attendee of the primary as whom the session publishes; `nil` if the session is not
  /// promoted.
  ///
  /// Ends the video that the session published as another attendee.
  func act(as attendeeId: String?) {
    let former = participantId
    participantId = attendeeId ?? joinedId
    tell(board.act(as: attendeeId))
    // If the session stops acting as an attendee of the primary, the video that it published as
    // this attendee has ended.
    if former != joinedId, former != participantId { synchronizer.publishingEnded() }
    guard attendeeId == nil else { return }
    status = .videoAtCapacityViewOnly
    // Without a connection, the client does not report the status. The client reports the status
    // after it has restored the connection.
    if toldStatus != nil { take(Self.viewOnly) } else { tellCamera(isAvailable: false) }
  }

  private static let viewOnly = V1.CameraAvailabilityChanged(
    status: .videoAtCapacityViewOnly, isAvailable: false)

  // MARK: The stream

  /// Applies an event of the stream.
  ///
  /// - Returns: Whether the event was about video.
  func take(_ event: V1.SessionEvent.Event?) -> Bool {
    switch event {
    case .tileBoardSnapshot(let snapshot):
      let change = board.apply(snapshot)
      // The video session starts at the snapshot, even if the snapshot has no entry for this client
      // yet.
      if change.camera == nil { tell(status ?? .ok) }
      tell(change)
      let own = snapshot.sources.first { $0.attendee?.attendeeID == participantId }
      if let own { synchronizer.boardShows(own) }
    case .videoSourcesChanged(let changed): tell(board.apply(changed))
    case .tilesChanged(let changed): tell(board.apply(changed))
    case .cameraAvailabilityChanged(let changed): take(changed)
    case .publishedVideoEnded(let ended): synchronizer.publishedVideoEnded(ended)
    default: return false
    }
    return true
  }

  private func tell(_ change: ClientTileState.Change) {
    let tracks = board.tracks.sorted { $0.key < $1.key }.map {
      RemoteVideoTrack(tileId: Int($0.key), ssrc: $0.value)
    }
    if tracks != toldTracks {
      toldTracks = tracks
      media?.setReceived(tracks)
    }
    if let camera = change.camera { take(camera) }
    if !change.gone.isEmpty { synchronizer.forgetSources(of: change.gone) }
    if !change.gone.isEmpty || !change.come.isEmpty {
      delegate.videoDidTell(.sources(gone: change.gone, come: change.come))
    }
    if !change.tiles.isEmpty {
      synchronizer.tilesWereReported(change.tiles)
      delegate.videoDidTell(.tiles(change.tiles))
    }
    if change.hasMissing { giveMissingTime() }
  }

  /// Starts the timeout for sources that are missing after the owner of the meeting's video has
  /// failed. The timeout is the server's drop timeout, as for the sources of any attendee whose
  /// connection is lost.
  private func giveMissingTime() {
    missingAlarm.set(after: dropTime) { [weak self] in
      guard let self else { return }
      tell(board.confirmMissing())
    }
  }

  // MARK: The camera

  func take(_ camera: V1.CameraAvailabilityChanged) {
    let status: MeetingSessionStatusCode =
      camera.status == .videoAtCapacityViewOnly ? .videoAtCapacityViewOnly : .ok
    self.status = status
    tell(status)
    tellCamera(isAvailable: camera.isAvailable)
  }

  private func tellCamera(isAvailable: Bool) {
    guard isAvailable != isCameraAvailable else { return }
    isCameraAvailable = isAvailable
    delegate.videoDidTell(.cameraAvailability(isAvailable))
  }

  private func tell(_ status: MeetingSessionStatusCode) {
    guard status != toldStatus else { return }
    toldStatus = status
    delegate.videoDidChange(.started, status: status)
  }
}
