// swift-format-ignore-file
// The blocks between the marks are exact copies of the code in the guide.

import CarillonClient
import Foundation

/// The code of the guide `configuring_remote_video_subscriptions.md`: subscriptions to videos, and
/// a pinned tile.
class PinnedTile: NSObject, AudioVideoObserver {
  let audioVideoFacade: AudioVideoFacade
  let videoModel = VideoModel()

  init(audioVideoFacade: AudioVideoFacade) {
    self.audioVideoFacade = audioVideoFacade
    super.init()
    audioVideoFacade.addAudioVideoObserver(observer: self)
  }

  /// The property of ``VideoModel`` with the same name. The guide uses the property without naming
  /// the model.
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

  /// The guide's example of a pinned tile, in Swift.
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
