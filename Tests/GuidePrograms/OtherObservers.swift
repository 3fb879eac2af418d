import CarillonClient
import Foundation

/// The other observers of the guide `api_overview.md`, in one class that records the callbacks.
class NoteTaker: NSObject, DeviceChangeObserver, VideoTileObserver, MetricsObserver,
  DataMessageObserver, TranscriptEventObserver, ContentShareObserver, EventAnalyticsObserver,
  PrimaryMeetingPromotionObserver
{
  var notes: [String] = []

  func register(with audioVideo: AudioVideoFacade) {
    audioVideo.addDeviceChangeObserver(observer: self)
    audioVideo.addVideoTileObserver(observer: self)
    audioVideo.addMetricsObserver(observer: self)
    audioVideo.addRealtimeDataMessageObserver(topic: "chat", observer: self)
    audioVideo.addRealtimeTranscriptEventObserver(observer: self)
    audioVideo.addContentShareObserver(observer: self)
    audioVideo.addEventAnalyticsObserver(observer: self)
  }

  func unregister(from audioVideo: AudioVideoFacade) {
    audioVideo.removeDeviceChangeObserver(observer: self)
    audioVideo.removeVideoTileObserver(observer: self)
    audioVideo.removeMetricsObserver(observer: self)
    audioVideo.removeRealtimeDataMessageObserverFromTopic(topic: "chat")
    audioVideo.removeRealtimeTranscriptEventObserver(observer: self)
    audioVideo.removeContentShareObserver(observer: self)
    audioVideo.removeEventAnalyticsObserver(observer: self)
  }

  func audioDeviceDidChange(freshAudioDeviceList: [MediaDevice]) {
    notes += freshAudioDeviceList.map { $0.label }
  }

  func videoTileDidAdd(tileState: VideoTileState) {
    notes.append(tileState.isContent ? "content" : "camera")
  }

  func videoTileDidRemove(tileState: VideoTileState) {}

  func videoTileDidPause(tileState: VideoTileState) {
    notes.append(tileState.pauseState.description)
  }

  func videoTileDidResume(tileState: VideoTileState) {}

  func videoTileSizeDidChange(tileState: VideoTileState) {
    notes.append("\(tileState.videoStreamContentWidth)x\(tileState.videoStreamContentHeight)")
  }

  func metricsDidReceive(metrics: [AnyHashable: Any]) {
    guard let figures = metrics as? [ObservableMetric: Any] else { return }
    notes += figures.filter { !$0.key.isContentShareMetric }.map { $0.key.description }
  }

  func dataMessageDidReceived(dataMessage: DataMessage) {
    guard !dataMessage.throttled, let text = dataMessage.text() else { return }
    notes.append("\(dataMessage.senderExternalUserId): \(text)")
  }

  func transcriptEventDidReceive(transcriptEvent: TranscriptEvent) {
    if let transcript = transcriptEvent as? Transcript {
      notes += transcript.results.filter { !$0.isPartial }
        .compactMap { $0.alternatives.first?.transcript }
    } else if let status = transcriptEvent as? TranscriptionStatus {
      notes.append(status.type.description)
    }
  }

  func contentShareDidStart() {}

  func contentShareDidStop(status: ContentShareStatus) {
    notes.append(status.statusCode.description)
  }

  func eventDidReceive(name: EventName, attributes: [AnyHashable: Any]) {
    switch name {
    case .meetingFailed, .meetingStartFailed:
      notes.append(attributes.toJsonString())
    default:
      break
    }
  }

  func didPromoteToPrimaryMeeting(status: MeetingSessionStatus) {
    notes.append(status.statusCode.description)
  }

  func didDemoteFromPrimaryMeeting(status: MeetingSessionStatus) {
    notes.append(status.statusCode.description)
  }
}
