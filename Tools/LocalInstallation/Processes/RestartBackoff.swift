/// The delay before the restart of a service that has exited.
///
/// The first restart is immediate. The second delay is 0.2 s. The delay doubles with every further
/// exit, up to 5 s. The delay starts again at its minimum after a service has run for 10 s.
struct RestartBackoff: Hashable, Sendable {
  static let shortest: Duration = .milliseconds(200)
  static let longest: Duration = .seconds(5)
  static let forgivenAfter: Duration = .seconds(10)

  /// The delay after the next exit.
  private var next: Duration = .zero

  init() {}

  /// Returns the delay before the next start.
  ///
  /// - Parameter lifetime: The time from the last start of the service to its end.
  mutating func pause(afterLivingFor lifetime: Duration) -> Duration {
    if lifetime >= Self.forgivenAfter { next = .zero }
    defer { next = next == .zero ? Self.shortest : min(next * 2, Self.longest) }
    return next
  }
}
