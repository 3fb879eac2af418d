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
