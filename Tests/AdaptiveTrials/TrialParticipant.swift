import CarillonClient
import Foundation
import Synchronization
import TestSupport
import Trials
import Wire

/// One attendee of a trial with a session of the client library. The participant records the
/// received frames and the received sound.
final class TrialParticipant: Sendable {
  /// A frame that the client showed.
  struct Shown: Sendable {
    let tile: Int
    /// The width in pixels.
    let width: Int
    let at = ContinuousClock.now
  }

  /// 20 ms of received sound.
  struct Sound: Sendable {
    let isTone: Bool
    let at = ContinuousClock.now
  }

  /// The metrics of one second.
  struct Figures: Sendable {
    let values: [ObservableMetric: Double]
    let at = ContinuousClock.now
  }

  struct TileNews: Sendable {
    let tile: Int
    let isPaused: Bool
    let at = ContinuousClock.now
  }

  let attendeeID: String
  let shown = AwaitableEntryList<Shown>()
  let figures = AwaitableEntryList<Figures>()
  let news = AwaitableEntryList<TileNews>()
  let tiles = AwaitableEntryList<Int>()
  private let started = AwaitableEntryList<Bool>()
  private let heard: SoundList
  private let session: DefaultMeetingSession
  private let views = Mutex<[TrialView]>([])

  /// Creates an attendee in a meeting.
  ///
  /// - Parameter isSpeaking: Whether the attendee sends a continuous tone.
  convenience init(
    _ name: String, isSpeaking: Bool, in installation: Installation, _ meeting: V1.MeetingRecord
  ) async throws {
    var attendee = try await installation.createAttendee(name, in: meeting)
    attendee.meetingID = meeting.meetingID
    self.init(attendee, isSpeaking: isSpeaking, through: installation.gateway.clientURL)
  }

  /// Creates the participant of an attendee.
  ///
  /// - Parameters:
  ///   - isSpeaking: Whether the attendee sends a continuous tone.
  ///   - gatewayURL: The URL of the gateway.
  init(_ attendee: V1.AttendeeRecord, isSpeaking: Bool, through gatewayURL: String) {
    attendeeID = attendee.attendeeID
    let heard = SoundList()
    let source: any AudioSource = isSpeaking ? ToneSource(hertz: 400) : SilenceSource()
    session = DefaultMeetingSession(
      configuration: MeetingSessionConfiguration(
        attendee, through: gatewayURL, signalingURL: "ws://localhost"),
      logger: ConsoleLogger(name: attendee.externalUserID, level: .OFF),
      audio: MediaAudio(
        source: source, sink: CallbackAudioSink { samples, _ in heard.take(samples) }))
    self.heard = heard
    audioVideo.addAudioVideoObserver(observer: self)
    audioVideo.addVideoTileObserver(observer: self)
    audioVideo.addMetricsObserver(observer: self)
  }

  /// The received sound so far, one entry for every 20 ms.
  var soundsHeard: [Sound] { heard.entries }

  var audioVideo: any AudioVideoFacade { session.audioVideo }

  func join() async throws {
    try audioVideo.start(
      audioVideoConfiguration: AudioVideoConfiguration(audioMode: .mono48K))
    try await started.wait(for: "the session to start") { $0.contains(true) }
  }

  func leave() async throws {
    audioVideo.stop()
    try await started.wait(for: "the session to stop") { $0.last == false }
  }

  /// Waits for a frame of a tile.
  ///
  /// - Parameter mark: The number of earlier entries of ``shown`` to ignore.
  func sees(_ tile: Int, width: Int? = nil, since mark: Int = 0) async throws {
    try await shown.wait(for: "tile \(tile)", within: .seconds(30)) {
      $0.dropFirst(mark).contains { $0.tile == tile && (width == nil || $0.width == width) }
    }
  }
}

/// The received sound: for every 20 ms of sound, whether these 20 ms contain a tone.
private final class SoundList: Sendable {
  private let sounds = Mutex<[TrialParticipant.Sound]>([])

  var entries: [TrialParticipant.Sound] { sounds.withLock { $0 } }

  func take(_ samples: [Int16]) {
    let loudest = samples.lazy.map { abs(Int($0)) }.max() ?? 0
    sounds.withLock { $0.append(.init(isTone: loudest > 1_500)) }
  }
}

/// A view that records the frames of a tile. Only the main thread uses the view.
private final class TrialView: VideoRenderView, Sendable {
  private let tile: Int
  private let shown: AwaitableEntryList<TrialParticipant.Shown>

  init(_ tile: Int, _ shown: AwaitableEntryList<TrialParticipant.Shown>) {
    (self.tile, self.shown) = (tile, shown)
  }

  func onVideoFrameReceived(frame: VideoFrame) {
    shown.append(.init(tile: tile, width: frame.width))
  }
}

extension TrialParticipant: AudioVideoObserver {
  func audioSessionDidStartConnecting(reconnecting: Bool) {}
  func audioSessionDidStart(reconnecting: Bool) { started.append(true) }
  func audioSessionDidDrop() {}
  func audioSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) { started.append(false) }
  func audioSessionDidCancelReconnect() {}
  func connectionDidRecover() {}
  func connectionDidBecomePoor() {}
  func videoSessionDidStartConnecting() {}
  func videoSessionDidStartWithStatus(sessionStatus: MeetingSessionStatus) {}
  func videoSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {}
  func remoteVideoSourcesDidBecomeAvailable(sources: [RemoteVideoSource]) {}
  func remoteVideoSourcesDidBecomeUnavailable(sources: [RemoteVideoSource]) {}
  func cameraSendAvailabilityDidChange(available: Bool) {}
}

extension TrialParticipant: MetricsObserver {
  func metricsDidReceive(metrics: [AnyHashable: Any]) {
    let pairs = metrics.compactMap { key, value -> (ObservableMetric, Double)? in
      guard let metric = key.base as? ObservableMetric, let value = value as? Double else {
        return nil
      }
      return (metric, value)
    }
    figures.append(Figures(values: Dictionary(uniqueKeysWithValues: pairs)))
  }
}

extension TrialParticipant: VideoTileObserver {
  func videoTileDidAdd(tileState: VideoTileState) {
    guard !tileState.isLocalTile else { return }
    let view = TrialView(tileState.tileId, shown)
    views.withLock { $0.append(view) }
    audioVideo.bindVideoView(videoView: view, tileId: tileState.tileId)
    tiles.append(tileState.tileId)
  }
  func videoTileDidRemove(tileState: VideoTileState) {}
  func videoTileDidPause(tileState: VideoTileState) {
    news.append(TileNews(tile: tileState.tileId, isPaused: true))
  }
  func videoTileDidResume(tileState: VideoTileState) {
    news.append(TileNews(tile: tileState.tileId, isPaused: false))
  }
  func videoTileSizeDidChange(tileState: VideoTileState) {}
}
