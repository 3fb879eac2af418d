package import CarillonClientCore

/// How loud an attendee is, or how good its connection is: superseded by the next one.
package enum LevelChange: Hashable, Sendable {
  case volume(VolumeLevel, AttendeeName)
  case signal(SignalStrength, AttendeeName)
}
