/// The calls that add and remove observers of active speakers.
public protocol ActiveSpeakerDetectorFacade: AnyObject, Sendable {
  /// Adds an observer, whose active speakers this policy determines.
  ///
  /// It replaces an observer with the same id.
  func addActiveSpeakerObserver(
    policy: any ActiveSpeakerPolicy, observer: any ActiveSpeakerObserver)

  /// Removes the observer with the same id.
  func removeActiveSpeakerObserver(observer: any ActiveSpeakerObserver)

  /// Called when the local attendee's video gets or loses bandwidth priority. Does nothing.
  func hasBandwidthPriorityCallback(hasBandwidthPriority: Bool)
}

/// An observer of active speakers. All calls are made on main.
public protocol ActiveSpeakerObserver: AnyObject {
  /// The observer's id. An observer that is added with the same id replaces this one.
  var observerId: String { get }

  /// The interval between reports of scores, in milliseconds; 0, the default, means none.
  ///
  /// Read once, when the observer is added.
  var scoresCallbackIntervalMs: Int { get }

  /// Receives the scores of all known attendees, including zeros and unchanged scores.
  func activeSpeakerScoreDidChange(scores: [AttendeeInfo: Double])

  /// Receives the active speakers, the highest score first; empty if nobody speaks.
  func activeSpeakerDidDetect(attendeeInfo: [AttendeeInfo])
}

extension ActiveSpeakerObserver {
  public var scoresCallbackIntervalMs: Int { 0 }

  public func activeSpeakerScoreDidChange(scores: [AttendeeInfo: Double]) {}
}

/// A policy that computes scores of how much an attendee speaks.
///
/// Its methods are called for one attendee at a time, on any thread.
public protocol ActiveSpeakerPolicy: AnyObject {
  /// Returns the attendee's new score, 0 or more, after a volume.
  ///
  /// A score above 0 makes the attendee an active speaker.
  func calculateScore(attendeeInfo: AttendeeInfo, volume: VolumeLevel) -> Double

  /// Returns whether the video of an active local attendee gets bandwidth priority.
  func prioritizeVideoSendBandwidthForActiveSpeaker() -> Bool
}
