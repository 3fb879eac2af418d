/// How long an owner waits for clients and gateways.
public struct OwnerTiming: Hashable, Sendable {
  /// How long a client may be silent before it counts as lost.
  public var dropAfter: Duration

  /// How long the clients of a vanished gateway have to come back.
  public var gatewayGrace: Duration

  /// A gateway that was not heard for so long is gone: three of its announcements of life.
  public var gatewaySilence: Duration

  /// How long at most a new owner waits for the gateways to announce their sessions.
  public var recovery: Duration

  /// Makes timing; the defaults are those of the flags.
  public init(
    dropAfter: Duration = .seconds(5), gatewayGrace: Duration = .seconds(15),
    gatewaySilence: Duration = .seconds(3), recovery: Duration = .seconds(15)
  ) {
    self.dropAfter = dropAfter
    self.gatewayGrace = gatewayGrace
    self.gatewaySilence = gatewaySilence
    self.recovery = recovery
  }
}
