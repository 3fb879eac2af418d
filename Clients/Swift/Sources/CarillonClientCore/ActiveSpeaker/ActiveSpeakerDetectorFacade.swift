/// Finds out who speaks.
public protocol ActiveSpeakerDetectorFacade: AnyObject, Sendable {
  /// Adds an observer that hears who speaks by this policy. One of the same id is replaced.
  func addActiveSpeakerObserver(
    policy: any ActiveSpeakerPolicy, observer: any ActiveSpeakerObserver)

  /// Removes the observer of this id.
  func removeActiveSpeakerObserver(observer: any ActiveSpeakerObserver)

  /// Called when the local attendee's video comes to be preferred, or no longer is. Does nothing.
  func hasBandwidthPriorityCallback(hasBandwidthPriority: Bool)
}

/// Hears who speaks. All calls come on main.
public protocol ActiveSpeakerObserver: AnyObject {
  /// Tells this observer from the others; adding another one under the same id replaces it.
  var observerId: String { get }

  /// How often scores are told, in milliseconds; 0, the default, never. Read once, when the
  /// observer is added.
  var scoresCallbackIntervalMs: Int { get }

  /// The scores of all known attendees, also those of 0 and those that did not change.
  func activeSpeakerScoreDidChange(scores: [AttendeeInfo: Double])

  /// Who speaks now, the highest score first; empty for nobody.
  func activeSpeakerDidDetect(attendeeInfo: [AttendeeInfo])
}

extension ActiveSpeakerObserver {
  public var scoresCallbackIntervalMs: Int { 0 }

  public func activeSpeakerScoreDidChange(scores: [AttendeeInfo: Double]) {}
}

/// Scores how much an attendee speaks. Called for one attendee at a time, on any thread.
public protocol ActiveSpeakerPolicy: AnyObject {
  /// The attendee's new score, 0 or more, after a volume. Above 0 the attendee is an active
  /// speaker.
  func calculateScore(attendeeInfo: AttendeeInfo, volume: VolumeLevel) -> Double

  /// Whether an active local attendee's video is to be preferred.
  func prioritizeVideoSendBandwidthForActiveSpeaker() -> Bool
}
