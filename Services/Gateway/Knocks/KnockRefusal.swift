import MeetingModel

/// The reason why a knock is refused.
enum KnockRefusal: Error, Hashable, Sendable, CaseIterable {
  /// The meeting has a lock, and no host is present.
  case noHost

  /// Too many people knock.
  case crowded

  /// The knock does not exist or has expired.
  case unknown

  /// Reads the refusal from an answer of `presence`; `nil` for an error that concerns no knock.
  init?(_ status: Status) {
    switch status.code {
    case .failedPrecondition: self = .noHost
    case .resourceExhausted: self = .crowded
    case .notFound: self = .unknown
    default: return nil
    }
  }
}
