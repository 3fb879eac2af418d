import MeetingModel

/// What the control plane decided about an attendee a moment ago.
struct CapabilityDecision: Hashable, Sendable {
  let moment: ContinuousClock.Instant
  let capabilities: AttendeeCapabilities
}
