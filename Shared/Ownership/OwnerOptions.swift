public import ArgumentParser
internal import ServiceHost

/// The flags of an owner that stores clients' choices and receives gateways' notices about clients.
public struct OwnerOptions: ParsableArguments {
  /// The seconds without contact after which the owner regards an attendee as lost, 1-300.
  @Option(help: "Seconds without contact after which an attendee is dropped, 1-300.")
  public var dropAfterSeconds = 5

  /// How long the sessions of a lost gateway may take to return.
  @OptionGroup public var grace: GatewayLossGraceOptions

  /// The flags for recovery after a start.
  @OptionGroup public var recovery: RecoveryOptions

  public init() {}

  public func validate() throws {
    try Self.check(dropAfterSeconds, 1...300, "--drop-after-seconds")
  }

  /// The timing that the flags specify.
  public var timing: OwnerGracePeriods {
    OwnerGracePeriods(
      dropAfter: .seconds(dropAfterSeconds), gatewayGrace: grace.duration,
      recovery: recovery.duration)
  }
}

/// The flag of an owner whose sessions may continue after the loss of their gateway.
public struct GatewayLossGraceOptions: ParsableArguments {
  /// The number of seconds within which the attendees of a lost gateway may return, 1-300.
  @Option(help: "Seconds that attendees of a lost gateway have to reconnect, 1-300.")
  public var gatewayGraceSeconds = 15

  public init() {}

  public func validate() throws {
    try Self.check(gatewayGraceSeconds, 1...300, "--gateway-grace-seconds")
  }

  /// The grace period as a duration.
  public var duration: Duration { .seconds(gatewayGraceSeconds) }
}

/// The flags of an owner that rebuilds its state from the gateways' announcements, and replays its
/// events to gateways.
public struct RecoveryOptions: ParsableArguments {
  /// The longest wait for the gateways at a start, in seconds, 1-300.
  @Option(
    help:
      "Maximum seconds that a start waits for the gateways to report their sessions, 1-300.")
  public var recoverySeconds = 15

  /// The number of events per meeting kept for replay, 16-1000000.
  @Option(help: "Number of events of a meeting that the service keeps for replay, 16-1000000.")
  public var replayEvents = 1024

  public init() {}

  public func validate() throws {
    try Self.check(recoverySeconds, 1...300, "--recovery-seconds")
    try Self.check(replayEvents, 16...1_000_000, "--replay-events")
  }

  /// The recovery time as a duration.
  public var duration: Duration { .seconds(recoverySeconds) }
}
