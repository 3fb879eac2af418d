import MeetingModel

/// A change of what a participant may send, made by one authority.
enum RightsChange: Hashable, Sendable {
  case muted(Bool)
  case mutedByOperator(Bool)
  case capabilities(AttendeeCapabilities)
}
