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
