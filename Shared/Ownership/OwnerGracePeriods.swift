/// The times that an owner waits for clients and gateways.
public struct OwnerGracePeriods: Hashable, Sendable {
  /// The silence after which the owner regards a client as lost.
  public var dropAfter: Duration

  /// The time within which the clients of a lost gateway may return.
  public var gatewayGrace: Duration

  /// The silence after which the owner regards a gateway as gone: three heartbeats.
  public var gatewaySilence: Duration

  /// The longest time that a new owner waits for the gateways to announce their sessions.
  public var recovery: Duration

  /// Makes grace periods. The defaults are the defaults of the flags.
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
