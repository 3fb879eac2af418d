import CarillonClient
import Foundation

/// The guide `configuring_remote_video_subscriptions.md`: what is received of whom, and a tile that
/// is pinned.
class VideoModel: NSObject {
  public var remoteVideoSourceConfigurations:
    Dictionary<RemoteVideoSource, VideoSubscriptionConfiguration> = Dictionary()
}

class PinnedTile: NSObject {
  let audioVideoFacade: AudioVideoFacade
  let videoModel = VideoModel()

  init(audioVideoFacade: AudioVideoFacade) {
    self.audioVideoFacade = audioVideoFacade
    super.init()
    audioVideoFacade.addAudioVideoObserver(observer: self)
  }

  func pinTile(attendeeId: String) {
    for (source, config) in videoModel.remoteVideoSourceConfigurations {
      if attendeeId == source.attendeeId {
        config.priority = VideoPriority.highest
      }
    }

    audioVideoFacade.updateVideoSourceSubscriptions(
      addedOrUpdated: videoModel.remoteVideoSourceConfigurations, removed: [])
  }
}

extension PinnedTile: AudioVideoObserver {
  func remoteVideoSourcesDidBecomeAvailable(sources: [RemoteVideoSource]) {
    sources.forEach { source in
      videoModel.remoteVideoSourceConfigurations[source] = VideoSubscriptionConfiguration()
    }
    audioVideoFacade.updateVideoSourceSubscriptions(
      addedOrUpdated: videoModel.remoteVideoSourceConfigurations, removed: [])
  }

  func remoteVideoSourcesDidBecomeUnavailable(sources: [RemoteVideoSource]) {
    sources.forEach { source in
      videoModel.remoteVideoSourceConfigurations.removeValue(forKey: source)
    }
    // No need to call `updateVideoSourceSubscription`
  }

  func audioSessionDidStartConnecting(reconnecting: Bool) {}

  func audioSessionDidStart(reconnecting: Bool) {
    audioVideoFacade.startRemoteVideo()
  }

  func audioSessionDidDrop() {}

  func audioSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {}

  func audioSessionDidCancelReconnect() {}

  func connectionDidRecover() {}

  func connectionDidBecomePoor() {}

  func videoSessionDidStartConnecting() {}

  func videoSessionDidStartWithStatus(sessionStatus: MeetingSessionStatus) {}

  func videoSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus) {}

  func cameraSendAvailabilityDidChange(available: Bool) {}
}
