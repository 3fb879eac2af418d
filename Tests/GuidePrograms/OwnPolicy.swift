import CarillonClient
import Foundation

/// The code of section 6b of the guide `api_overview.md` with an application's own policy and
/// observer. The policy counts only the loudest attendees, and the observer ignores scores.
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
