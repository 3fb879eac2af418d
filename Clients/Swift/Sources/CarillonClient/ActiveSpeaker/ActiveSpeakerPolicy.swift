/// Scores how much an attendee speaks. Called for one attendee at a time, on any thread.
public protocol ActiveSpeakerPolicy: AnyObject {
  /// The attendee's new score, 0 or more, after a volume. Above 0 the attendee is an active
  /// speaker.
  func calculateScore(attendeeInfo: AttendeeInfo, volume: VolumeLevel) -> Double

  /// Whether an active local attendee's video is to be preferred.
  func prioritizeVideoSendBandwidthForActiveSpeaker() -> Bool
}
