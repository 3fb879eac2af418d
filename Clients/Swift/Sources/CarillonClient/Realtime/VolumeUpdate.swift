public import Foundation

/// The new volume of an attendee.
public final class VolumeUpdate: NSObject, Sendable {
  public let attendeeInfo: AttendeeInfo
  public let volumeLevel: VolumeLevel

  public init(attendeeInfo: AttendeeInfo, volumeLevel: VolumeLevel) {
    self.attendeeInfo = attendeeInfo
    self.volumeLevel = volumeLevel
  }
}
