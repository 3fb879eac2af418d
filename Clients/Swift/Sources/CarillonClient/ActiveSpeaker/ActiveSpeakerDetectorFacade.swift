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
