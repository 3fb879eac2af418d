import MeetingModel

/// A recent decision of the control plane about an attendee.
struct CapabilityDecision: Hashable, Sendable {
  let moment: ContinuousClock.Instant
  let capabilities: AttendeeCapabilities
}
