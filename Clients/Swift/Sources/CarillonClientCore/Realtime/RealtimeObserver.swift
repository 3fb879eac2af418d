public import Foundation

/// Hears who is in the meeting and how they sound. All calls come on main, with lists that are
/// never empty and in no particular order; the local attendee is among them.
public protocol RealtimeObserver: AnyObject {
  /// Volumes changed. Only attendees whose level is a new one are named.
  func volumeDidChange(volumeUpdates: [VolumeUpdate])

  /// Signal strengths changed. Only attendees whose strength is a new one are named.
  func signalStrengthDidChange(signalUpdates: [SignalUpdate])

  /// Attendees came who were not known to be there.
  func attendeesDidJoin(attendeeInfo: [AttendeeInfo])

  /// Attendees ended their session or were taken out of the meeting.
  func attendeesDidLeave(attendeeInfo: [AttendeeInfo])

  /// Attendees were lost by the network; they may join again.
  func attendeesDidDrop(attendeeInfo: [AttendeeInfo])

  /// Attendees are muted now. Comes before `volumeDidChange` for the same change.
  func attendeesDidMute(attendeeInfo: [AttendeeInfo])

  /// Attendees are no longer muted. Comes before `volumeDidChange` for the same change.
  func attendeesDidUnmute(attendeeInfo: [AttendeeInfo])
}

/// The new volume of an attendee.
public final class VolumeUpdate: NSObject, Sendable {
  /// Whose volume it is.
  public let attendeeInfo: AttendeeInfo

  /// How loud the attendee is now.
  public let volumeLevel: VolumeLevel

  /// Makes an update, for tests of applications.
  public init(attendeeInfo: AttendeeInfo, volumeLevel: VolumeLevel) {
    self.attendeeInfo = attendeeInfo
    self.volumeLevel = volumeLevel
  }
}

/// How loud an attendee is.
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
  /// Whose signal it is.
  public let attendeeInfo: AttendeeInfo

  /// How strong the signal is now.
  public let signalStrength: SignalStrength

  /// Makes an update, for tests of applications.
  public init(attendeeInfo: AttendeeInfo, signalStrength: SignalStrength) {
    self.attendeeInfo = attendeeInfo
    self.signalStrength = signalStrength
  }
}

/// How good an attendee's connection is.
public enum SignalStrength: Int, CaseNamed {
  /// Nothing comes through.
  case none = 0
  /// The connection is weak.
  case low = 1
  /// The connection is good.
  case high = 2
}
