/// The calls that add and remove observers of active speakers.
public protocol ActiveSpeakerDetectorFacade: AnyObject, Sendable {
  /// Adds an observer. The policy determines which active speakers the observer receives.
  ///
  /// The observer replaces a previous observer with the same id.
  func addActiveSpeakerObserver(
    policy: any ActiveSpeakerPolicy, observer: any ActiveSpeakerObserver)

  /// Removes the observer that has the same id as the given observer.
  func removeActiveSpeakerObserver(observer: any ActiveSpeakerObserver)

  /// The detector calls this method when the local attendee's video gets or loses bandwidth
  /// priority. In this library, the method has no effect.
  func hasBandwidthPriorityCallback(hasBandwidthPriority: Bool)
}

/// An observer of active speakers. The library makes all calls on the main thread.
public protocol ActiveSpeakerObserver: AnyObject {
  /// The observer's id. If the application later adds another observer with the same id, the other
  /// observer replaces this observer.
  var observerId: String { get }

  /// The interval between reports of scores, in milliseconds; 0, the default, disables the reports.
  ///
  /// The detector reads the value only when the application adds the observer.
  var scoresCallbackIntervalMs: Int { get }

  /// Receives the scores of all known attendees, including zeros and unchanged scores.
  func activeSpeakerScoreDidChange(scores: [AttendeeInfo: Double])

  /// Receives the active speakers, the highest score first; empty if no attendee speaks.
  func activeSpeakerDidDetect(attendeeInfo: [AttendeeInfo])
}

extension ActiveSpeakerObserver {
  public var scoresCallbackIntervalMs: Int { 0 }

  public func activeSpeakerScoreDidChange(scores: [AttendeeInfo: Double]) {}
}

/// A policy that computes each attendee's score. The score measures how much the attendee speaks.
///
/// The detector calls the policy's methods for one attendee at a time, on any thread.
public protocol ActiveSpeakerPolicy: AnyObject {
  /// Returns the attendee's new score, at least 0, after an update of the attendee's volume.
  ///
  /// A score above 0 makes the attendee an active speaker.
  func calculateScore(attendeeInfo: AttendeeInfo, volume: VolumeLevel) -> Double

  /// Returns whether the video of an active local attendee gets bandwidth priority.
  func prioritizeVideoSendBandwidthForActiveSpeaker() -> Bool
}
