import CarillonClient
import Foundation

/// Section 6b with a policy and an observer of the application's own: only the loudest count, and
/// scores are of no interest.
class LoudestPolicy: ActiveSpeakerPolicy {
  func calculateScore(attendeeInfo: AttendeeInfo, volume: VolumeLevel) -> Double {
    return volume == .high ? 1 : 0
  }

  func prioritizeVideoSendBandwidthForActiveSpeaker() -> Bool {
    return false
  }
}

class Spotlight: ActiveSpeakerObserver {
  let observerId = UUID().uuidString
  var speaker: AttendeeInfo?

  func activeSpeakerDidDetect(attendeeInfo: [AttendeeInfo]) {
    speaker = attendeeInfo.first
  }

  func follow(_ audioVideo: AudioVideoFacade) {
    audioVideo.addActiveSpeakerObserver(policy: LoudestPolicy(), observer: self)
  }
}
