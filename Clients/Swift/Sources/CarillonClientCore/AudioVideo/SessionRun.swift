import Dispatch
import Synchronization

/// One run of a session, from its start to its end. A run keeps the known state of the meeting and
/// reports changes to the observers.
///
/// One lock covers changes of state and the posting of callbacks. So observers receive events in
/// order, even if several threads report the events.
final class SessionRun: Sendable {
  private enum Audio {
    case live
    /// The application called `stop()`, and the connection has not answered yet.
    case leaving
    case over
  }

  private enum Video {
    case open
    case closed
  }

  private struct State {
    var audio = Audio.live
    var video = Video.open
    // The application's call of `start` starts the state machine in the state "connecting". The
    // connection may report this state again.
    var machine = AudioSessionMachine(action: .connecting)
    var attendees = PresentAttendees()
    var volumes = LevelSnapshot<VolumeLevel>()
    var signals = LevelSnapshot<SignalStrength>()
    var sources = RemoteVideoSources()
    var promotions: SessionPromotions
  }

  private let voices: SessionObservers
  private let appStateMonitor: any AppStateMonitor & Sendable
  private let connectionEvents: VideoConnectionEventPublisher
  private let state: Mutex<State>

  init(
    voices: SessionObservers, promotions: SessionPromotions, environment: SessionDependencies
  ) {
    self.voices = voices
    appStateMonitor = environment.appStateMonitor
    connectionEvents = .ofVideo(voices.eventAnalytics, uptimeMs: environment.uptimeMs)
    state = Mutex(State(promotions: promotions))
  }

  /// Whether the run is live. A run is live from its start until the application stops the run or
  /// the run ends.
  var isLive: Bool { state.withLock { $0.audio == .live } }

  /// Reports to the observers that the session is connecting.
  func begin() {
    voices.activeSpeakerDetector.reset()
    voices.realtimeObservers.add(voices.activeSpeakerDetector)
    voices.audioVideoObservers.post { $0.audioSessionDidStartConnecting(reconnecting: false) }
    voices.statistics.meetingIsConnecting()
    voices.eventAnalytics.publishEvent(name: .meetingStartRequested)
  }

  /// Ends a run for which the library could not create a connection.
  func failToBegin() {
    state.withLock { state in
      state.audio = .over
      state.video = .closed
    }
    silenceDetector()
    voices.eventAnalytics.publishEvent(
      name: .meetingStartFailed,
      attributes: [
        EventAttributeName.meetingStatus: MeetingSessionStatusCode.audioServiceUnavailable
      ])
    voices.statistics.reset()
  }

  /// Begins to leave.
  ///
  /// The run reports the end after the connection has confirmed the end. If the server has ended
  /// the run, the run only closes its video.
  func leave() {
    state.withLock { state in
      switch state.audio {
      case .live:
        state.audio = .leaving
        guard state.machine.action == .reconnecting else { return }
        voices.audioVideoObservers.post { $0.audioSessionDidCancelReconnect() }
      case .leaving:
        return
      case .over:
        closeVideo(&state, status: .ok)
        silenceDetector()
      }
    }
  }

  /// Requests a promotion. The observer receives the answer and the end of the promotion.
  func promote(
    as credentials: MeetingSessionCredentials,
    telling observer: MainQueueBox<any PrimaryMeetingPromotionObserver>
  ) {
    state.withLock { $0.promotions.promote(as: credentials, telling: observer) }
  }

  /// Ends the promotion.
  func demote() { state.withLock { $0.promotions.demote() } }

  private func finishLeaving(_ state: inout State) {
    closeVideo(&state, status: .ok)
    state.audio = .over
    silenceDetector()
    publishEnd(.meetingEnded, attributes: [.meetingStatus: MeetingSessionStatusCode.ok])
    postAudioStop(.ok)
    state.promotions.finish()
  }

  private func silenceDetector() {
    voices.realtimeObservers.remove(voices.activeSpeakerDetector)
    voices.activeSpeakerDetector.reset()
  }

  private func closeVideo(_ state: inout State, status: MeetingSessionStatusCode) {
    guard state.video == .open else { return }
    state.video = .closed
    state.sources = RemoteVideoSources()
    voices.tiles.clear()
    voices.audioVideoObservers.post {
      $0.videoSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus(statusCode: status))
    }
  }
}

extension SessionRun: SessionConnectionDelegate {
  func connectionDidChange(_ connection: ConnectionState, status: MeetingSessionStatusCode) {
    state.withLock { state in
      guard state.audio == .live else { return }
      for outcome in state.machine.receive(connection, status: status) {
        tell(outcome, &state)
      }
    }
  }

  func connectionDidStop() {
    state.withLock { state in
      guard state.audio == .leaving else { return }
      finishLeaving(&state)
    }
  }

  func presenceDidChange(_ reports: [AttendeePresenceReport]) {
    state.withLock { state in
      guard state.audio == .live else { return }
      let difference = state.attendees.apply(
        reports.map { (attendee($0.attendeeId, $0.externalUserId, $0.displayName), $0.status) })
      post(difference.joined) { $0.attendeesDidJoin(attendeeInfo: $1) }
      post(difference.left) { $0.attendeesDidLeave(attendeeInfo: $1) }
      post(difference.dropped) { $0.attendeesDidDrop(attendeeInfo: $1) }
      let gone = difference.left + difference.dropped
      state.volumes.forget(gone)
      state.signals.forget(gone)
    }
  }

  func volumesDidChange(_ volumes: [VolumeReport]) {
    state.withLock { state in
      guard state.audio == .live else { return }
      tell(state.volumes.replace(with: volumes.map(level(of:))))
    }
  }

  func someVolumesDidChange(_ volumes: [VolumeReport]) {
    state.withLock { state in
      guard state.audio == .live else { return }
      tell(state.volumes.update(with: volumes.map(level(of:))))
    }
  }

  func signalsDidChange(_ signals: [SignalReport]) {
    state.withLock { state in
      guard state.audio == .live else { return }
      tell(state.signals.replace(with: signals.map(strength(of:))))
    }
  }

  func someSignalsDidChange(_ signals: [SignalReport]) {
    state.withLock { state in
      guard state.audio == .live else { return }
      tell(state.signals.update(with: signals.map(strength(of:))))
    }
  }

  func dataMessageDidArrive(_ message: DataMessage) {
    state.withLock { state in
      // The application gets a throttled message back even after the session has ended.
      guard state.audio == .live || message.throttled else { return }
      voices.dataMessageObservers.post(message)
    }
  }

  func dataMessagesDidResume(isRecovered: Bool) {
    state.withLock { state in
      guard state.audio == .live else { return }
      voices.dataMessageLogObservers.post { $0.dataMessagesDidResume(recovered: isRecovered) }
    }
  }

  func dataMessagesDidGetLost() {
    state.withLock { state in
      guard state.audio == .live else { return }
      voices.dataMessageLogObservers.post { $0.dataMessagesDidGetLost() }
    }
  }

  func transcriptDidArrive(_ news: TranscriptUpdate) {
    state.withLock { state in
      guard state.audio == .live else { return }
      voices.transcriptObservers.post { $0.transcriptEventDidReceive(transcriptEvent: news.event) }
    }
  }

  func videoDidChange(_ video: VideoConnectionState, status: MeetingSessionStatusCode) {
    state.withLock { state in
      guard state.audio != .leaving else { return }
      switch video {
      case .connecting:
        state.video = .open
        voices.audioVideoObservers.post { $0.videoSessionDidStartConnecting() }
      case .started:
        state.video = .open
        let code: MeetingSessionStatusCode =
          status == .videoAtCapacityViewOnly ? .videoAtCapacityViewOnly : .ok
        voices.audioVideoObservers.post {
          $0.videoSessionDidStartWithStatus(sessionStatus: MeetingSessionStatus(statusCode: code))
        }
      case .stopped:
        closeVideo(&state, status: .ok)
      case .failed:
        closeVideo(&state, status: .videoServiceUnavailable)
      }
    }
  }

  func videoDidTell(_ news: VideoUpdate) {
    state.withLock { state in
      guard state.audio != .leaving, state.video == .open else { return }
      switch news {
      case .cameraAvailability(let isAvailable):
        voices.audioVideoObservers.post {
          $0.cameraSendAvailabilityDidChange(available: isAvailable)
        }
      case .sources(let gone, let come):
        post(state.sources.end(gone)) { $0.remoteVideoSourcesDidBecomeUnavailable(sources: $1) }
        post(state.sources.begin(come)) { $0.remoteVideoSourcesDidBecomeAvailable(sources: $1) }
      case .tiles(let notices):
        voices.tiles.take(notices)
      case .published(let number, let tileId):
        guard voices.localVideo.isCurrent(number) else { return }
        voices.tiles.expectLocalTile(tileId)
      case .unpublished:
        break
      case .publishingFailed(let number):
        // The source belongs to the application, so this code must not call the source while
        // holding the lock of the state.
        DispatchQueue.main.async { [voices] in
          guard voices.localVideo.end(number) else { return }
          voices.tiles.endLocalTile()
        }
      }
    }
  }

  func videoDidArrive(_ frame: VideoFrame, of tileId: Int) {
    guard state.withLock({ $0.audio != .leaving && $0.video == .open }) else { return }
    voices.tiles.receive(frame, of: tileId)
  }

  func encodedVideoDidArrive(width: Int, height: Int, of tileId: Int) {
    guard state.withLock({ $0.audio != .leaving && $0.video == .open }) else { return }
    voices.tiles.receiveEncoded(width: width, height: height, of: tileId)
  }

  func promotionWasAnswered(
    _ number: Int, _ answer: Result<PrimaryMeetingAttendee, PromotionRefusal>
  ) {
    state.withLock { $0.promotions.answer(number, answer) }
  }

  func promotionDidEnd(as attendeeId: String, status: MeetingSessionStatusCode) {
    state.withLock { $0.promotions.endedByServer(as: attendeeId, status) }
  }

  func mediaWasMeasured(_ figures: [ObservableMetric: Double]) {
    voices.metrics.take(figures, from: .session)
  }

  func signalingDidChange(_ change: SignalingConnectionChange) {
    state.withLock { state in
      guard state.audio == .live else { return }
      connectionEvents.signalingDidChange(change)
    }
  }

  func mediaPathDidOpen(afterMs durationMs: Int64) {
    state.withLock { state in
      guard state.audio == .live else { return }
      connectionEvents.pathDidOpen(afterMs: durationMs)
    }
  }

  func audioWasInterrupted() {
    state.withLock { state in
      guard state.audio == .live else { return }
      for name in [EventName.audioInterruptionBegan, .audioInterruptionEnded] {
        voices.eventAnalytics.publishEvent(name: name, attributes: [:], notifyObservers: false)
      }
    }
  }

  private func post(
    _ sources: [MainQueueBox<RemoteVideoSource>],
    to call: @escaping @Sendable (any AudioVideoObserver, [RemoteVideoSource]) -> Void
  ) {
    guard !sources.isEmpty else { return }
    voices.audioVideoObservers.post { call($0, sources.map(\.value)) }
  }

  private func attendee(
    _ attendeeId: String, _ externalUserId: String, _ displayName: String
  ) -> AttendeeInfo {
    let own = voices.identity.credentials
    let isUnnamedSelf = externalUserId.isEmpty && attendeeId == own.attendeeId
    return AttendeeInfo(
      attendeeId: attendeeId,
      externalUserId: isUnnamedSelf ? own.externalUserId : externalUserId,
      displayName: displayName)
  }

  private func level(
    of report: VolumeReport
  ) -> (attendee: AttendeeInfo, level: VolumeLevel) {
    (attendee(report.attendeeId, report.externalUserId, report.displayName), report.level)
  }

  private func strength(
    of report: SignalReport
  ) -> (attendee: AttendeeInfo, level: SignalStrength) {
    (attendee(report.attendeeId, report.externalUserId, report.displayName), report.strength)
  }

  private func tell(_ changes: [LevelSnapshot<VolumeLevel>.Change]) {
    post(changes.filter { $0.level == .muted }.map(\.attendee)) {
      $0.attendeesDidMute(attendeeInfo: $1)
    }
    post(changes.filter { $0.previous == .muted }.map(\.attendee)) {
      $0.attendeesDidUnmute(attendeeInfo: $1)
    }
    post(changes.map { VolumeUpdate(attendeeInfo: $0.attendee, volumeLevel: $0.level) }) {
      $0.volumeDidChange(volumeUpdates: $1)
    }
  }

  private func tell(_ changes: [LevelSnapshot<SignalStrength>.Change]) {
    post(changes.map { SignalUpdate(attendeeInfo: $0.attendee, signalStrength: $0.level) }) {
      $0.signalStrengthDidChange(signalUpdates: $1)
    }
  }

  private func post<Item: Sendable>(
    _ items: [Item], to call: @escaping @Sendable (any RealtimeObserver, [Item]) -> Void
  ) {
    guard !items.isEmpty else { return }
    voices.realtimeObservers.post { call($0, items) }
  }
}

extension SessionRun {
  private func tell(_ outcome: AudioSessionMachine.Outcome, _ state: inout State) {
    let observers = voices.audioVideoObservers
    switch outcome {
    case .started:
      voices.statistics.meetingDidConnect()
      voices.eventAnalytics.publishEvent(name: .meetingStartSucceeded)
      observers.post { $0.audioSessionDidStart(reconnecting: false) }
    case .dropped:
      voices.statistics.meetingDidDrop()
      observers.post { $0.audioSessionDidDrop() }
      observers.post { $0.audioSessionDidStartConnecting(reconnecting: true) }
      state.promotions.connectionWasLost()
    case .restarted:
      voices.statistics.meetingDidReconnect()
      voices.eventAnalytics.publishEvent(name: .meetingReconnected)
      observers.post { $0.audioSessionDidStart(reconnecting: true) }
      state.promotions.connectionIsBack()
    case .reconnectCancelled:
      observers.post { $0.audioSessionDidCancelReconnect() }
    case .becamePoor:
      voices.statistics.connectionDidBecomePoor()
      observers.post { $0.connectionDidBecomePoor() }
    case .recovered:
      observers.post { $0.connectionDidRecover() }
    case .ended(let status):
      end(.meetingEnded, status, &state)
    case .failed(let status):
      end(.meetingFailed, status, &state)
    }
  }

  private func end(_ name: EventName, _ status: MeetingSessionStatusCode, _ state: inout State) {
    state.audio = .over
    publishEnd(
      name, attributes: [.meetingStatus: status, .meetingErrorMessage: status.description])
    postAudioStop(status)
    state.promotions.finish()
    appStateMonitor.stop()
  }

  private func publishEnd(_ name: EventName, attributes: [EventAttributeName: Any]) {
    voices.eventAnalytics.publishEvent(name: name, attributes: attributes)
    voices.statistics.reset()
  }

  private func postAudioStop(_ status: MeetingSessionStatusCode) {
    voices.audioVideoObservers.post {
      $0.audioSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus(statusCode: status))
    }
  }
}
