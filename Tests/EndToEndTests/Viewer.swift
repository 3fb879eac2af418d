import AdaptiveTrials
import TestSupport
import Trials
import Wire

@testable import CarillonClientCore

/// One attendee with a session of the client library. The viewer records the callbacks about video.
///
/// A viewer has no media connection. A test passes frames to the session directly
/// (`VideoFrameReceiver`).
final class Viewer: Sendable {
  let attendeeID: String
  let seen = AwaitableEntryList<String>()
  private let session: SessionComponents

  init(_ name: String, in meeting: TestMeeting) async throws {
    var attendee = try await meeting.installation.createAttendee(name, in: meeting.record)
    attendee.meetingID = meeting.record.meetingID
    attendeeID = attendee.attendeeID
    session = SessionComponents(
      configuration: MeetingSessionConfiguration(
        attendee, through: meeting.installation.gateway.clientURL, signalingURL: "ws://localhost"),
      logger: ConsoleLogger(name: name, level: .OFF), eventReporterFactory: nil,
      permissionProvider: FixedPermissionProvider(), makeMedia: { _ in PlayedEngine() })
    session.audioVideo.addAudioVideoObserver(observer: self)
    session.audioVideo.addVideoTileObserver(observer: self)
    session.audioVideo.addContentShareObserver(observer: self)
  }

  var audioVideo: any AudioVideoFacade { session.audioVideo }

  /// Starts the session, and waits until the video session has started too.
  func join() async throws {
    try audioVideo.start(
      audioVideoConfiguration: AudioVideoConfiguration(audioDeviceCapabilities: .none))
    try await sees("started ok")
  }

  func leave() async throws {
    audioVideo.stop()
    try await sees("stopped")
  }

  /// Waits for a line in ``seen``.
  ///
  /// - Parameter mark: The number of earlier entries to ignore.
  func sees(
    _ line: String, since mark: Int = 0, within limit: Duration = .seconds(15)
  ) async throws {
    try await seen.wait(for: line, within: limit) { $0.dropFirst(mark).contains(line) }
  }

  var mark: Int { seen.entries.count }

  /// Passes frames of a track to the session until the session adds the tile.
  func shows(_ tile: UInt32) async throws {
    let tracks = session.mediaTracks
    try await eventually("tile \(tile)") {
      await MainActor.run { tracks.receive(.grey, of: Int(tile)) }
      return seen.entries.contains("add \(tile)")
    }
  }

  /// Passes frames of a track to the session until the session adds an earlier tile again.
  func showsAgain(_ tile: UInt32) async throws {
    let (tracks, line) = (session.mediaTracks, "add \(tile)")
    let before = seen.entries.count { $0 == line }
    try await eventually("tile \(tile) again") {
      await MainActor.run { tracks.receive(.grey, of: Int(tile)) }
      return seen.entries.count { $0 == line } > before
    }
  }

  /// Subscribes to the cameras of these attendees only.
  func subscribe(to wanted: [String: VideoPriority]) async {
    await MainActor.run {
      var configurations: [RemoteVideoSource: VideoSubscriptionConfiguration] = [:]
      for (attendee, priority) in wanted {
        let source = RemoteVideoSource()
        source.attendeeId = attendee
        let configuration = VideoSubscriptionConfiguration()
        configuration.priority = priority
        configurations[source] = configuration
      }
      session.audioVideo.updateVideoSourceSubscriptions(
        addedOrUpdated: configurations, removed: [])
    }
  }
}

/// A camera or a screen whose frames the test delivers.
final class GivenSource: VideoSource, @unchecked Sendable {
  var videoContentHint = VideoContentHint.motion
  private let sinks = AwaitableEntryList<MainQueueBox<any VideoSink>>()

  func addVideoSink(sink: any VideoSink) { sinks.append(MainQueueBox(value: sink)) }
  func removeVideoSink(sink: any VideoSink) {}

  /// Delivers a frame to all sinks.
  func give() {
    for sink in sinks.entries { sink.value.onVideoFrameReceived(frame: .grey) }
  }
}

/// A frame buffer that has only a size.
private final class GreyBuffer: VideoFrameBuffer {
  func width() -> Int { 640 }
  func height() -> Int { 360 }
}

extension VideoFrame {
  static var grey: VideoFrame {
    VideoFrame(timestampNs: 0, rotation: .rotation0, buffer: GreyBuffer())
  }
}

extension Viewer: AudioVideoObserver {
  func audioSessionDidStartConnecting(reconnecting: Bool) {}
  func audioSessionDidStart(reconnecting: Bool) {}
  func audioSessionDidDrop() { seen.append("dropped") }
  func audioSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {
    seen.append("stopped")
  }
  func audioSessionDidCancelReconnect() {}
  func connectionDidRecover() {}
  func connectionDidBecomePoor() {}
  func videoSessionDidStartConnecting() {}
  func videoSessionDidStartWithStatus(sessionStatus: MeetingSessionStatus) {
    seen.append("started \(sessionStatus.statusCode)")
  }
  func videoSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {}
  func remoteVideoSourcesDidBecomeAvailable(sources: [RemoteVideoSource]) {
    for source in sources { seen.append("available \(source.attendeeId)") }
  }
  func remoteVideoSourcesDidBecomeUnavailable(sources: [RemoteVideoSource]) {
    for source in sources { seen.append("unavailable \(source.attendeeId)") }
  }
  func cameraSendAvailabilityDidChange(available: Bool) { seen.append("camera \(available)") }
}

extension Viewer: VideoTileObserver {
  func videoTileDidAdd(tileState: VideoTileState) { seen.append("add \(tileState.tileId)") }
  func videoTileDidRemove(tileState: VideoTileState) { seen.append("remove \(tileState.tileId)") }
  func videoTileDidPause(tileState: VideoTileState) {
    seen.append("pause \(tileState.tileId) \(tileState.pauseState)")
  }
  func videoTileDidResume(tileState: VideoTileState) { seen.append("resume \(tileState.tileId)") }
  func videoTileSizeDidChange(tileState: VideoTileState) {}
}

extension Viewer: ContentShareObserver {
  func contentShareDidStart() { seen.append("share started") }
  func contentShareDidStop(status: ContentShareStatus) {
    seen.append("share stopped \(status.statusCode)")
  }
}
