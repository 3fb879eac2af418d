// swift-format-ignore-file
// The blocks between the marks stand as the guide has them.

import CarillonClient
import Foundation

/// The guide `configuring_remote_video_subscriptions.md`: subscriptions to videos, and a pinned
/// tile.
class PinnedTile: NSObject, AudioVideoObserver {
  let audioVideoFacade: AudioVideoFacade
  let videoModel = VideoModel()

  init(audioVideoFacade: AudioVideoFacade) {
    self.audioVideoFacade = audioVideoFacade
    super.init()
    audioVideoFacade.addAudioVideoObserver(observer: self)
  }

  /// The guide names the model's property without the model.
  var remoteVideoSourceConfigurations:
    [RemoteVideoSource: VideoSubscriptionConfiguration]
  { videoModel.remoteVideoSourceConfigurations }

// Guide: configuring_remote_video_subscriptions.md
class VideoModel: NSObject {
    public var remoteVideoSourceConfigurations: Dictionary<RemoteVideoSource, VideoSubscriptionConfiguration> = Dictionary()
}

func remoteVideoSourcesDidBecomeAvailable(sources: [RemoteVideoSource]) {
    sources.forEach { source in
        videoModel.remoteVideoSourceConfigurations[source] = VideoSubscriptionConfiguration()
    }
    audioVideoFacade.updateVideoSourceSubscriptions(addedOrUpdated: remoteVideoSourceConfigurations, removed: [])
}

func remoteVideoSourcesDidBecomeUnavailable(sources: [RemoteVideoSource]) {
    sources.forEach { source in
        videoModel.remoteVideoSourceConfigurations.removeValue(forKey: source)
    }
    // No need to call `updateVideoSourceSubscription`
}
// End of the block

  /// As the guide has it, in Swift.
  func pinTile(attendeeId: String) {
    for (source, config) in remoteVideoSourceConfigurations {
      if attendeeId == source.attendeeId {
        config.priority = VideoPriority.highest
      }
    }

    audioVideoFacade.updateVideoSourceSubscriptions(
      addedOrUpdated: remoteVideoSourceConfigurations, removed: [])
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
