package import CarillonClientCore

/// A new volume or signal strength of an attendee. The new value replaces the previous value.
package enum AttendeeLevelChange: Hashable, Sendable {
  case volume(VolumeLevel, AttendeeName)
  case signal(SignalStrength, AttendeeName)
}
