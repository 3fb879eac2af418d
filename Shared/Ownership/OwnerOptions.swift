public import ArgumentParser
internal import ServiceHost

/// The flags of an owner that keeps what clients chose, and hears of clients through gateways.
public struct OwnerOptions: ParsableArguments {
  /// How many seconds without contact make an attendee count as lost, 1-300.
  @Option(help: "Seconds without contact after which an attendee counts as lost, 1-300.")
  public var dropAfterSeconds = 5

  /// How long attendees of a vanished gateway have.
  @OptionGroup public var grace: GatewayGraceOptions

  /// How the owner recovers when it starts.
  @OptionGroup public var recovery: RecoveryOptions

  public init() {}

  public func validate() throws {
    try Self.check(dropAfterSeconds, 1...300, "--drop-after-seconds")
  }

  /// How long the owner waits, as the flags say.
  public var timing: OwnerTiming {
    OwnerTiming(
      dropAfter: .seconds(dropAfterSeconds), gatewayGrace: grace.duration,
      recovery: recovery.duration)
  }
}

/// The flag of an owner whose sessions outlive their gateway for a while.
public struct GatewayGraceOptions: ParsableArguments {
  /// How many seconds attendees of a vanished gateway have to come back, 1-300.
  @Option(help: "Seconds that attendees of a vanished gateway have to come back, 1-300.")
  public var gatewayGraceSeconds = 15

  public init() {}

  public func validate() throws {
    try Self.check(gatewayGraceSeconds, 1...300, "--gateway-grace-seconds")
  }

  /// The same as a duration.
  public var duration: Duration { .seconds(gatewayGraceSeconds) }
}

/// The flags of an owner that gateways tell what they have, and that replays its events to them.
public struct RecoveryOptions: ParsableArguments {
  /// How many seconds a start waits for the gateways at most, 1-300.
  @Option(help: "Most seconds a start waits for the gateways to say what they have, 1-300.")
  public var recoverySeconds = 15

  /// How many events of one meeting stay for replay, 16-1000000.
  @Option(help: "Events of one meeting that stay for replay, 16-1000000.")
  public var replayEvents = 1024

  public init() {}

  public func validate() throws {
    try Self.check(recoverySeconds, 1...300, "--recovery-seconds")
    try Self.check(replayEvents, 16...1_000_000, "--replay-events")
  }

  /// How long a start waits.
  public var duration: Duration { .seconds(recoverySeconds) }
}
