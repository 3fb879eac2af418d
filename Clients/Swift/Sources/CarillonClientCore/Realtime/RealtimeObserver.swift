public import Foundation

/// An observer of the attendees' presence, volumes and signal strengths.
///
/// The library makes all calls on the main thread. The lists are never empty, have no particular
/// order, and include the local attendee.
public protocol RealtimeObserver: AnyObject {
  /// Volumes changed. The list contains only attendees whose level changed.
  func volumeDidChange(volumeUpdates: [VolumeUpdate])

  /// Signal strengths changed. The list contains only attendees whose strength changed.
  func signalStrengthDidChange(signalUpdates: [SignalUpdate])

  /// Attendees joined. The list contains only attendees whose presence the observer did not know.
  func attendeesDidJoin(attendeeInfo: [AttendeeInfo])

  /// Attendees ended their sessions, or a host or an operator removed these attendees.
  func attendeesDidLeave(attendeeInfo: [AttendeeInfo])

  /// Attendees lost their connections. These attendees may join again.
  func attendeesDidDrop(attendeeInfo: [AttendeeInfo])

  /// Attendees are now muted. This call precedes `volumeDidChange` for the same change.
  func attendeesDidMute(attendeeInfo: [AttendeeInfo])

  /// Attendees are no longer muted. This call precedes `volumeDidChange` for the same change.
  func attendeesDidUnmute(attendeeInfo: [AttendeeInfo])
}

/// The new volume of an attendee.
public final class VolumeUpdate: NSObject, Sendable {
  /// The attendee whose volume changed.
  public let attendeeInfo: AttendeeInfo

  /// The attendee's new volume.
  public let volumeLevel: VolumeLevel

  /// Creates an update, for tests of applications.
  public init(attendeeInfo: AttendeeInfo, volumeLevel: VolumeLevel) {
    self.attendeeInfo = attendeeInfo
    self.volumeLevel = volumeLevel
  }
}

/// The volume of an attendee.
public enum VolumeLevel: Int, CaseNamed {
  /// The attendee is muted.
  case muted = -1
  /// The attendee is not muted and is silent.
  case notSpeaking = 0
  /// The attendee speaks softly.
  case low = 1
  /// The attendee speaks.
  case medium = 2
  /// The attendee speaks loudly.
  case high = 3
}

/// The new signal strength of an attendee.
public final class SignalUpdate: NSObject, Sendable {
  /// The attendee whose signal strength changed.
  public let attendeeInfo: AttendeeInfo

  /// The attendee's new signal strength.
  public let signalStrength: SignalStrength

  /// Creates an update, for tests of applications.
  public init(attendeeInfo: AttendeeInfo, signalStrength: SignalStrength) {
    self.attendeeInfo = attendeeInfo
    self.signalStrength = signalStrength
  }
}

/// The quality of an attendee's connection.
public enum SignalStrength: Int, CaseNamed {
  /// No signal arrives.
  case none = 0
  /// The connection is weak.
  case low = 1
  /// The connection is good.
  case high = 2
}
