public import Foundation

/// The new signal strength of an attendee.
public final class SignalUpdate: NSObject, Sendable {
  public let attendeeInfo: AttendeeInfo
  public let signalStrength: SignalStrength

  public init(attendeeInfo: AttendeeInfo, signalStrength: SignalStrength) {
    self.attendeeInfo = attendeeInfo
    self.signalStrength = signalStrength
  }
}
