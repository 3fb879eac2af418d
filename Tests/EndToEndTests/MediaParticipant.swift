import AdaptiveTrials
import CarillonClient
import Foundation
import Synchronization
import TestSupport
import Trials
import Wire

/// One attendee that sends and receives audio and video. The attendee's voice has one pitch.
final class MediaParticipant: Sendable {
  /// The amplitudes of the two test tones in 20 ms of received audio, 0-1.
  struct Sound: Hashable, Sendable {
    let low: Double
    let high: Double
    let at = ContinuousClock.now

    /// The amplitude above which this type reports that it hears a tone. Voices have an amplitude
    /// of 0.25.
    static let heard = 0.08
    static let silent = 0.01
  }

  /// A frame that the client showed.
  struct Shown: Hashable, Sendable {
    let tile: Int
    let number: Int?
    /// The width in pixels.
    let width: Int
    let at = ContinuousClock.now
  }

  static let lowHertz = 400.0
  static let highHertz = 1_000.0

  let name: String
  let attendeeID: String
  let sounds = AwaitableEntryList<Sound>()
  let shown = AwaitableEntryList<Shown>()

  /// The calls of the observers, one line each.
  let heard = AwaitableEntryList<String>()

  /// The metrics of the client library, one entry per second.
  let figures = AwaitableEntryList<[ObservableMetric: Double]>()
  private let session: DefaultMeetingSession
  private let views = AwaitableEntryList<MainBoundView>()

  /// Creates an attendee and its session.
  ///
  /// - Parameters:
  ///   - hertz: The pitch of the attendee's voice; `nil` for silence.
  ///   - gateway: The index of the attendee's gateway in the installation.
  convenience init(
    _ name: String, in meeting: TestMeeting, saying hertz: Double? = nil, through gateway: Int = 0
  ) async throws {
    let source: any AudioSource = hertz.map { PitchedVoice(hertz: $0) } ?? SilenceSource()
    try await self.init(name, in: meeting, speaking: source, through: gateway)
  }

  init(
    _ name: String, in meeting: TestMeeting, speaking source: any AudioSource,
    through gateway: Int = 0
  ) async throws {
    var attendee = try await meeting.installation.createAttendee(name, in: meeting.record)
    attendee.meetingID = meeting.record.meetingID
    (self.name, attendeeID) = (name, attendee.attendeeID)
    let sink = CallbackAudioSink { [sounds] samples, channels in
      sounds.append(
        Sound(
          low: Self.amplitude(of: Self.lowHertz, in: samples, channels),
          high: Self.amplitude(of: Self.highHertz, in: samples, channels)))
    }
    session = DefaultMeetingSession(
      configuration: MeetingSessionConfiguration(
        attendee, through: meeting.installation.gateways[gateway].clientURL,
        signalingURL: "ws://localhost"),
      logger: ConsoleLogger(name: name, level: .OFF),
      audio: MediaAudio(source: source, sink: sink))
    audioVideo.addAudioVideoObserver(observer: self)
    audioVideo.addRealtimeObserver(observer: self)
    audioVideo.addVideoTileObserver(observer: self)
    audioVideo.addContentShareObserver(observer: self)
    audioVideo.addMetricsObserver(observer: self)
  }

  var audioVideo: any AudioVideoFacade { session.audioVideo }

  // MARK: Joining and leaving

  func join() async throws {
    try audioVideo.start(
      audioVideoConfiguration: AudioVideoConfiguration(audioMode: .mono48K))
    try await hears("start")
  }

  func leave() async throws {
    audioVideo.stop()
    try await hears("stop")
  }

  // MARK: Audio, video and callbacks

  func hears(_ line: String, within limit: Duration = .seconds(15)) async throws {
    try await heard.wait(for: "\(name) to hear \(line)", within: limit) { $0.contains(line) }
  }

  /// Waits until the participant hears exactly these voices for half a second.
  ///
  /// - Parameter mark: The number of earlier entries of ``sounds`` to ignore.
  func hears(
    low: Bool, high: Bool, since mark: Int = 0, within limit: Duration = .seconds(15)
  ) async throws {
    @Sendable func isSo(_ loudest: Double?, _ isHeard: Bool) -> Bool {
      guard let loudest else { return false }
      return isHeard ? loudest > Sound.heard : loudest < Sound.silent
    }
    try await sounds.wait(for: "\(name) to hear low \(low), high \(high)", within: limit) {
      let last = $0.dropFirst(mark).suffix(25)
      return last.count == 25 && isSo(last.map(\.low).max(), low)
        && isSo(last.map(\.high).max(), high)
    }
  }

  /// Waits for frames of a tile, and returns the numbers of these frames.
  ///
  /// - Parameter mark: The number of earlier entries of ``shown`` to ignore.
  @discardableResult
  func sees(
    _ count: Int, of tile: Int, since mark: Int = 0, within limit: Duration = .seconds(15)
  ) async throws -> [Int] {
    try await shown.wait(for: "\(name) to see tile \(tile)", within: limit) {
      $0.dropFirst(mark).count { $0.tile == tile } >= count
    }.dropFirst(mark).filter { $0.tile == tile }.compactMap(\.number)
  }

  /// Waits until the client has added `count` remote tiles, and returns the ids of these tiles.
  func tiles(_ count: Int) async throws -> [Int] {
    let lines = try await heard.wait(for: "\(name) to have \(count) tiles") {
      $0.count { $0.hasPrefix("tile ") } >= count
    }
    return lines.compactMap { $0.hasPrefix("tile ") ? Int($0.dropFirst(5)) : nil }
  }

  private static func amplitude(
    of hertz: Double, in samples: [Int16], _ channels: Int
  ) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    let count = samples.count / channels
    for index in 0..<count {
      let phase = 2 * .pi * hertz * Double(index) / 48_000
      let sample = Double(samples[index * channels]) / 32_768
      real += sample * cos(phase)
      imaginary += sample * sin(phase)
    }
    return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(max(count, 1))
  }
}

/// A voice of syllables with one pitch.
private final class PitchedVoice: AudioSource {
  private let hertz: Double
  private let said = Mutex(0)

  init(hertz: Double) { self.hertz = hertz }

  func read(into samples: inout MutableSpan<Int16>) -> Bool {
    let start = said.withLock { said in
      defer { said += samples.count }
      return said
    }
    for index in samples.indices {
      let time = Double(start + index) / 48_000
      let syllable = max(0, sin(2 * .pi * 4 * time))
      let tone = sin(2 * .pi * hertz * time) + 0.3 * sin(4 * .pi * hertz * time)
      samples[index] = Int16(8_000 * syllable * tone)
    }
    return true
  }
}

/// A view that records the number and the width of each frame of a tile.
private final class NotingView: VideoRenderView {
  private let tile: Int
  private let shown: AwaitableEntryList<MediaParticipant.Shown>

  init(_ tile: Int, _ shown: AwaitableEntryList<MediaParticipant.Shown>) {
    (self.tile, self.shown) = (tile, shown)
  }

  func onVideoFrameReceived(frame: VideoFrame) {
    shown.append(
      .init(tile: tile, number: FrameCounter.read(frame.buffer), width: frame.width))
  }
}

/// An owner of a view. Only the main thread uses the view.
private final class MainBoundView: @unchecked Sendable {
  let view: NotingView
  init(_ view: NotingView) { self.view = view }
}

extension MediaParticipant: AudioVideoObserver {
  func audioSessionDidStartConnecting(reconnecting: Bool) {}
  func audioSessionDidStart(reconnecting: Bool) { heard.append(reconnecting ? "restart" : "start") }
  func audioSessionDidDrop() { heard.append("drop") }
  func audioSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) { heard.append("stop") }
  func audioSessionDidCancelReconnect() {}
  func connectionDidRecover() { heard.append("recovered") }
  func connectionDidBecomePoor() { heard.append("poor") }
  func videoSessionDidStartConnecting() {}
  func videoSessionDidStartWithStatus(sessionStatus: MeetingSessionStatus) {}
  func videoSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {}
  func remoteVideoSourcesDidBecomeAvailable(sources: [RemoteVideoSource]) {}
  func remoteVideoSourcesDidBecomeUnavailable(sources: [RemoteVideoSource]) {}
  func cameraSendAvailabilityDidChange(available: Bool) {}
}

extension MediaParticipant: RealtimeObserver {
  func volumeDidChange(volumeUpdates: [VolumeUpdate]) {
    for update in volumeUpdates {
      heard.append("volume \(update.attendeeInfo.externalUserId) \(update.volumeLevel)")
    }
  }
  func signalStrengthDidChange(signalUpdates: [SignalUpdate]) {}
  func attendeesDidJoin(attendeeInfo: [AttendeeInfo]) {
    for attendee in attendeeInfo { heard.append("join \(attendee.externalUserId)") }
  }
  func attendeesDidLeave(attendeeInfo: [AttendeeInfo]) {
    for attendee in attendeeInfo { heard.append("leave \(attendee.externalUserId)") }
  }
  func attendeesDidDrop(attendeeInfo: [AttendeeInfo]) {
    for attendee in attendeeInfo { heard.append("lose \(attendee.externalUserId)") }
  }
  func attendeesDidMute(attendeeInfo: [AttendeeInfo]) {
    for attendee in attendeeInfo { heard.append("mute \(attendee.externalUserId)") }
  }
  func attendeesDidUnmute(attendeeInfo: [AttendeeInfo]) {}
}

extension MediaParticipant: MetricsObserver {
  func metricsDidReceive(metrics: [AnyHashable: Any]) {
    let pairs = metrics.compactMap { key, value -> (ObservableMetric, Double)? in
      guard let metric = key.base as? ObservableMetric, let value = value as? Double else {
        return nil
      }
      return (metric, value)
    }
    figures.append(Dictionary(uniqueKeysWithValues: pairs))
  }
}

extension MediaParticipant: VideoTileObserver, ContentShareObserver {
  func videoTileDidAdd(tileState: VideoTileState) {
    let view = NotingView(tileState.tileId, shown)
    views.append(MainBoundView(view))
    audioVideo.bindVideoView(videoView: view, tileId: tileState.tileId)
    if !tileState.isLocalTile { heard.append("tile \(tileState.tileId)") }
  }
  func videoTileDidRemove(tileState: VideoTileState) {
    if !tileState.isLocalTile { heard.append("gone \(tileState.tileId)") }
  }
  func videoTileDidPause(tileState: VideoTileState) {
    let isPoor = tileState.pauseState == .pausedForPoorConnection
    heard.append("pause \(tileState.tileId)\(isPoor ? " for poor connection" : "")")
  }
  func videoTileDidResume(tileState: VideoTileState) { heard.append("resume \(tileState.tileId)") }
  func videoTileSizeDidChange(tileState: VideoTileState) {}
  func contentShareDidStart() { heard.append("share") }
  func contentShareDidStop(status: ContentShareStatus) { heard.append("share ended") }
}
