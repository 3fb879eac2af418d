/// How long a service that died waits before it is started again.
///
/// At once the first time; then 0.2 s, doubled with every further death up to 5 s. A service that
/// lived for ten seconds begins anew.
struct RestartBackoff: Hashable, Sendable {
  static let shortest: Duration = .milliseconds(200)
  static let longest: Duration = .seconds(5)
  static let forgivenAfter: Duration = .seconds(10)

  /// What the next death costs.
  private var next: Duration = .zero

  init() {}

  /// The pause before the next start.
  ///
  /// - Parameter lifetime: How long the service lived this time.
  mutating func pause(afterLivingFor lifetime: Duration) -> Duration {
    if lifetime >= Self.forgivenAfter { next = .zero }
    defer { next = next == .zero ? Self.shortest : min(next * 2, Self.longest) }
    return next
  }
}
