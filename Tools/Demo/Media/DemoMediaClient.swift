internal import CarillonClient
internal import Foundation
internal import MeetingViews
internal import Output
internal import Speaking

/// A client of the Swift library in this process. The client sends and receives sound and video.
final class DemoMediaClient: NSObject, Sendable {
  let name: String
  let attendeeID: String
  let journal = ObservedEventLog<DemoMediaEvent>()
  let mouth = ScriptedMicrophone()
  let ear = RecordingAudioSink()
  let session: DefaultMeetingSession
  private let viewers = DemoTileViews()

  init(_ configuration: MeetingSessionConfiguration) {
    name = configuration.credentials.externalUserId
    attendeeID = configuration.credentials.attendeeId
    session = DefaultMeetingSession(
      configuration: configuration, logger: ConsoleLogger(name: name, level: .OFF),
      audio: MediaAudio(source: mouth, sink: ear))
    super.init()
    session.audioVideo.addAudioVideoObserver(observer: self)
    session.audioVideo.addRealtimeObserver(observer: self)
    session.audioVideo.addVideoTileObserver(observer: self)
    session.audioVideo.addContentShareObserver(observer: self)
    session.audioVideo.addRealtimeTranscriptEventObserver(observer: self)
    session.audioVideo.addActiveSpeakerObserver(
      policy: DefaultActiveSpeakerPolicy(), observer: self)
    session.audioVideo.addRealtimeDataMessageObserver(
      topic: DemoTopic.audience.rawValue, observer: self)
  }

  func start() throws {
    try session.audioVideo.start(audioVideoConfiguration: AudioVideoConfiguration())
  }

  func stop() { session.audioVideo.stop() }

  /// Waits until this client has received an event.
  ///
  /// - Returns: The event and its time.
  @discardableResult
  func hear(
    _ what: String, since mark: Int = 0, within limit: Duration,
    where matches: @escaping @Sendable (DemoMediaEvent) -> Bool
  ) async throws(CommandFailure) -> ObservedEventLog<DemoMediaEvent>.Entry {
    let entry = await journal.first(from: mark, until: .now + limit, where: matches)
    guard let entry else {
      let heard = journal.entries(from: mark).suffix(12).map { "\($0.event)" }
      throw CommandFailure(
        code: "DEADLINE_EXCEEDED",
        message: "\(name) did not receive within \(limit): \(what); "
          + "it received [\(heard.joined(separator: ", "))].")
    }
    return entry
  }
}

extension DemoMediaClient: AudioVideoObserver {
  func audioSessionDidStartConnecting(reconnecting: Bool) {}
  func audioSessionDidStart(reconnecting: Bool) {
    journal.record(reconnecting ? .reconnected : .joined)
  }
  func audioSessionDidDrop() {}
  func audioSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {
    journal.record(.ended(status: Int(sessionStatus.statusCode.rawValue)))
  }
  func audioSessionDidCancelReconnect() {}
  func connectionDidRecover() {}
  func connectionDidBecomePoor() {}
  func videoSessionDidStartConnecting() {}
  func videoSessionDidStartWithStatus(sessionStatus: MeetingSessionStatus) {
    journal.record(.video(status: Int(sessionStatus.statusCode.rawValue)))
  }
  func videoSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {}
  func remoteVideoSourcesDidBecomeAvailable(sources: [RemoteVideoSource]) {}
  func remoteVideoSourcesDidBecomeUnavailable(sources: [RemoteVideoSource]) {}
  func cameraSendAvailabilityDidChange(available: Bool) {}
}

extension DemoMediaClient: RealtimeObserver {
  func volumeDidChange(volumeUpdates: [VolumeUpdate]) {
    for update in volumeUpdates {
      journal.record(
        .volume(update.attendeeInfo.attendeeId, level: Int(update.volumeLevel.rawValue)))
    }
  }
  func signalStrengthDidChange(signalUpdates: [SignalUpdate]) {}
  func attendeesDidJoin(attendeeInfo: [AttendeeInfo]) {
    for attendee in attendeeInfo { journal.record(.came(attendee.attendeeId)) }
  }
  func attendeesDidLeave(attendeeInfo: [AttendeeInfo]) {
    for attendee in attendeeInfo { journal.record(.went(attendee.attendeeId)) }
  }
  func attendeesDidDrop(attendeeInfo: [AttendeeInfo]) {
    for attendee in attendeeInfo { journal.record(.went(attendee.attendeeId)) }
  }
  func attendeesDidMute(attendeeInfo: [AttendeeInfo]) {}
  func attendeesDidUnmute(attendeeInfo: [AttendeeInfo]) {}
}

extension DemoMediaClient: ActiveSpeakerObserver {
  var observerId: String { attendeeID }
  func activeSpeakerDidDetect(attendeeInfo: [AttendeeInfo]) {
    journal.record(.activeSpeakers(attendeeInfo.map(\.attendeeId)))
  }
}

extension DemoMediaClient: VideoTileObserver {
  func videoTileDidAdd(tileState: VideoTileState) {
    journal.record(
      .tileAdded(
        tileState.tileId, attendeeID: tileState.attendeeId, isContent: tileState.isContent,
        isLocal: tileState.isLocalTile))
    guard !tileState.isLocalTile else { return }
    let view = viewers.view(of: tileState.tileId, journal)
    session.audioVideo.bindVideoView(videoView: view, tileId: tileState.tileId)
  }
  func videoTileDidRemove(tileState: VideoTileState) {
    journal.record(.tileRemoved(tileState.tileId))
  }
  func videoTileDidPause(tileState: VideoTileState) {}
  func videoTileDidResume(tileState: VideoTileState) {}
  func videoTileSizeDidChange(tileState: VideoTileState) {}
}

extension DemoMediaClient: DataMessageObserver {
  func dataMessageDidReceived(dataMessage: DataMessage) {
    guard let text = dataMessage.text() else { return }
    journal.record(.said(text, by: dataMessage.senderAttendeeId))
  }
}

extension DemoMediaClient: PrimaryMeetingPromotionObserver {
  func didPromoteToPrimaryMeeting(status: MeetingSessionStatus) {
    journal.record(.promoted(status: Int(status.statusCode.rawValue)))
  }
  func didDemoteFromPrimaryMeeting(status: MeetingSessionStatus) {
    journal.record(.demoted(status: Int(status.statusCode.rawValue)))
  }
}

extension DemoMediaClient: ContentShareObserver {
  func contentShareDidStart() { journal.record(.shareStarted) }
  func contentShareDidStop(status: ContentShareStatus) {}
}

extension DemoMediaClient: TranscriptEventObserver {
  func transcriptEventDidReceive(transcriptEvent: any TranscriptEvent) {
    for line in TranscriptLine.lines(of: transcriptEvent) { journal.record(.transcript(line)) }
  }

  /// The transcript that this client received.
  var transcript: TranscriptReader {
    TranscriptReader(name) { [journal] in
      journal.entries(from: 0).compactMap { entry in
        if case .transcript(let line) = entry.event { (line, entry.time) } else { nil }
      }
    }
  }
}
